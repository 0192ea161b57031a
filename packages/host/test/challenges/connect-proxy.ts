/**
 * A proxy as a program of its own: tunnels by CONNECT, and passes on requests with a whole address. Every name leads
 * to this machine, so that only requests through the proxy arrive. It prints its address and its requests on stdout.
 */
import { createServer, type IncomingMessage, request } from 'node:http'
import { type AddressInfo, connect } from 'node:net'

const [credentials = ''] = process.argv.slice(2)
const wanted = credentials === '' ? undefined : `Basic ${Buffer.from(credentials).toString('base64')}`

function tell(line: object): void {
  process.stdout.write(`${JSON.stringify(line)}\n`)
}

function mayPass({ method, url, headers }: IncomingMessage): boolean {
  const passes = wanted === undefined || headers['proxy-authorization'] === wanted
  tell({ asked: `${method} ${url}`, passes })
  return passes
}

const proxy = createServer((incoming, response) => {
  if (!mayPass(incoming)) return void response.writeHead(407, { 'proxy-authenticate': 'Basic' }).end()
  const { pathname, search, port } = new URL(incoming.url ?? '')
  const { 'proxy-authorization': _, ...headers } = incoming.headers
  const onward = request({ host: '127.0.0.1', port, path: pathname + search, method: incoming.method, headers })
  onward.once('response', (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers)
    answer.pipe(response)
  })
  onward.once('error', () => response.writeHead(502).end())
  incoming.pipe(onward)
})

proxy.on('connect', (incoming, socket, head) => {
  socket.on('error', () => {})
  if (!mayPass(incoming)) return void socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n')
  const port = Number((incoming.url ?? '').split(':').at(-1))
  const onward = connect(port, '127.0.0.1', () => {
    socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
    onward.write(head)
    onward.pipe(socket).pipe(onward)
  })
  onward.on('error', () => socket.destroy())
})

proxy.listen(0, '127.0.0.1', () => tell({ port: (proxy.address() as AddressInfo).port }))
process.stdin.resume().once('end', () => process.exit())
