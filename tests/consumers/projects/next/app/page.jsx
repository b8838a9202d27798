"use client";
import { useEffect } from "react";
import { open } from "cryograph";
import { open as openInWorker } from "cryograph/worker";
import { fetched, freeze } from "../freeze.mjs";

export default function Page() {
  useEffect(() => {
    window.result = fetched().then(async (files) => [await freeze(open, files), await freeze(openInWorker, files)]);
  }, []);
  return <p>Freezing</p>;
}
