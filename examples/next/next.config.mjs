// Static files: the work is done in the browser.
export default { output: "export" };
