import { launchFirefox } from "./firefox.mjs";
import { testFlows } from "./flows.mjs";

testFlows("Firefox", launchFirefox);
