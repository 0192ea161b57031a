/** The page after the redirect; it contains nothing of the request. */
export function callbackPage(title: string, text: string): string {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>${title}</title>
<style>body { font: 1.1rem/1.5 system-ui, sans-serif; max-width: 30rem; margin: 20vh auto; padding: 0 1rem }
@media (prefers-color-scheme: dark) { body { background: #181818; color: #ddd } }</style></head>
<body><h1>${title}</h1><p>${text}</p></body>
</html>
`
}

/** Headers that keep the page from loading, running or leaking anything. */
export const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  connection: 'close',
} as const
