export default { optimizeDeps: { exclude: ["cryograph"] } };
