/** Git over HTTP, for tests of the bundled servers. */
import { spawn } from 'node:child_process'
import type { RequestListener } from 'node:http'

/** Serves the bare repositories of a folder, as git itself answers over HTTP. */
export function gitHttpBackend(root: string): RequestListener {
  return (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost')
    const backend = spawn('git', ['http-backend'], {
      env: {
        ...process.env,
        GIT_PROJECT_ROOT: root,
        GIT_HTTP_EXPORT_ALL: '1',
        PATH_INFO: pathname,
        QUERY_STRING: `${searchParams}`,
        REQUEST_METHOD: request.method,
        CONTENT_TYPE: request.headers['content-type'] ?? '',
        HTTP_CONTENT_ENCODING: request.headers['content-encoding'] ?? '',
        GIT_PROTOCOL: `${request.headers['git-protocol'] ?? ''}`,
      },
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    request.pipe(backend.stdin)
    const parts: Buffer[] = []
    backend.stdout.on('data', (part: Buffer) => parts.push(part))
    backend.on('close', () => {
      const answer = Buffer.concat(parts)
      const end = answer.indexOf('\r\n\r\n')
      const heads = answer.subarray(0, end).toString().split('\r\n')
      const headers = Object.fromEntries(heads.map((line) => line.split(': ') as [string, string]))
      const { Status: status = '200', ...rest } = headers
      response.writeHead(Number.parseInt(status, 10), rest).end(answer.subarray(end + 4))
    })
  }
}
