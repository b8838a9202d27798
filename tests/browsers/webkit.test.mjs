import { testFlows } from "./flows.mjs";
import { launchWebKit } from "./webkit.mjs";

testFlows("WebKit", launchWebKit);
