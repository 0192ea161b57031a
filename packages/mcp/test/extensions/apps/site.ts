/** Sites on this machine: one shows views, others are those that a view must not reach. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

/** A program for browsers, in one file. */
export async function bundled(path: string): Promise<string> {
  const input = fileURLToPath(new URL(path, import.meta.url))
  const bundle = await rolldown({ input, platform: 'browser', transform: { target: 'es2022' } })
  const { output } = await bundle.generate({ format: 'esm', codeSplitting: false })
  await bundle.close()
  return output[0].code
}

/** A page whose script is this program. */
export const pageWith = (code: string): string =>
  `<!doctype html><html><head><title>View</title></head><body><script type="module">${code.replaceAll('</script', '<\\/script')}</script></body></html>`

/** Files that are served, by path. */
export interface Files {
  [path: string]: string
}

/** Serves files under a name, and counts what is asked for. */
export async function site(name: string, files: Files, headers: { readonly [name: string]: string } = {}) {
  const asked: string[] = []
  const http = createServer(({ url = '' }, response) => {
    asked.push(url)
    const type = url.endsWith('.js') ? 'text/javascript' : 'text/html'
    response.writeHead(200, { 'content-type': type, 'access-control-allow-origin': '*', ...headers })
    response.end(files[url] ?? '<!doctype html><p>Hello')
  })
  await once(http.listen(0, '127.0.0.1'), 'listening')
  return {
    origin: `http://${name}:${(http.address() as AddressInfo).port}`,
    asked,
    files,
    async [Symbol.asyncDispose]() {
      http.closeAllConnections()
      await new Promise((resolve) => http.close(resolve))
    },
  }
}
