// For the container's health check: ends with 0 while the product answers on this machine.
const { PORT = "3000" } = process.env;
fetch(`http://127.0.0.1:${PORT}/healthz`).then(
  ({ ok }) => process.exit(ok ? 0 : 1),
  () => process.exit(1),
);
