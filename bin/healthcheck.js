// The container's health check: exits with 0 if the server on this machine responds, otherwise with 1.
const { PORT = "3000" } = process.env;
fetch(`http://127.0.0.1:${PORT}/healthz`).then(
  ({ ok }) => process.exit(ok ? 0 : 1),
  () => process.exit(1),
);
