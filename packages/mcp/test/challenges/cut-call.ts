import { type AddressInfo, createServer, connect as dial, type Socket } from 'node:net'

const prefix = 'io.modelcontextprotocol'
const revision = '2026-07-28'

/** The bytes of a call of "tick" with a key, as they go over the wire. */
export function tickRequest(url: URL, key: string): Buffer {
  const body = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: {
      name: 'tick',
      arguments: { key },
      _meta: {
        [`${prefix}/protocolVersion`]: revision,
        [`${prefix}/clientCapabilities`]: {},
        'dev.trunkline/contract': { idempotencyKey: key },
      },
    },
  })
  const head = [
    `POST ${url.pathname} HTTP/1.1`,
    `host: ${url.host}`,
    'content-type: application/json',
    'accept: application/json, text/event-stream',
    `mcp-protocol-version: ${revision}`,
    'mcp-method: tools/call',
    'mcp-name: tick',
    `content-length: ${Buffer.byteLength(body)}`,
  ]
  return Buffer.from(`${head.join('\r\n')}\r\n\r\n${body}`)
}

/** Sends bytes and reads until so many have come, then cuts the connection; returns what came. */
export function exchange(url: URL, request: Uint8Array, enough: (came: Buffer) => boolean): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    let came = Buffer.alloc(0)
    const cutIfEnough = (): void => {
      if (enough(came)) socket.destroy()
    }
    const socket = dial(Number(url.port), url.hostname, () => socket.write(request, cutIfEnough))
    socket.on('data', (piece) => {
      came = Buffer.concat([came, piece])
      cutIfEnough()
    })
    socket.on('error', reject)
    socket.on('close', () => resolve(came))
  })
}

/** True once all of an answer has come. */
export function isWhole(came: Buffer): boolean {
  const text = came.toString()
  const [, length] = /content-length: (\d+)/i.exec(text) ?? []
  const start = came.indexOf('\r\n\r\n')
  return length !== undefined && start !== -1 && came.length >= start + 4 + Number(length)
}

/** Runs a task for every number below a count, several at a time. */
export async function everyNumber(count: number, task: (number: number) => Promise<void>): Promise<void> {
  let next = 0
  const work = async (): Promise<void> => {
    while (next < count) await task(next++)
  }
  await Promise.all(Array.from({ length: 16 }, work))
}

/** A way to a server that loses the first answers to calls of "tick". */
export async function lossyProxy(url: URL, losses: number): Promise<{ readonly url: URL } & AsyncDisposable> {
  let lost = 0
  const open = new Set<Socket>()
  const proxy = createServer((near) => {
    const far = dial(Number(url.port), url.hostname)
    let isTick = false
    for (const socket of [near, far]) {
      open.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        open.delete(socket)
        near.destroy()
        far.destroy()
      })
    }
    near.on('data', (piece) => {
      isTick ||= piece.includes('"tick"')
      far.write(piece)
    })
    far.on('data', (piece) => {
      if (isTick && lost++ < losses) near.destroy()
      else near.write(piece)
    })
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  const own = new URL(url)
  own.port = String((proxy.address() as AddressInfo).port)
  return {
    url: own,
    async [Symbol.asyncDispose]() {
      for (const socket of open) socket.destroy()
      await new Promise((resolve) => proxy.close(resolve))
    },
  }
}
