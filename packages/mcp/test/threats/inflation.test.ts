/** Answers that are small on the wire and large in memory: counted as they are inflated, and left when they are too large. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { buffer } from 'node:stream/consumers'
import { test } from 'node:test'
import { createBrotliCompress, createDeflate, createGzip, constants as zlib } from 'node:zlib'
import { nodeFetch } from '../../src/transports/http/client/fetch/node-fetch.ts'
import { httpChannel } from '../../src/transports/http/client/http-channel.ts'
import type { Fetch } from '../../src/transports/http/client/http-channel-options.ts'
import { Recorder } from '../recorder.ts'
import { scripted } from '../scripted-http.ts'

const mebibyte = 1_048_576
const inflatedMebibytes = 128
const mostGrowth = 64 * mebibyte

const encodings = {
  gzip: () => createGzip({ level: 1 }),
  deflate: () => createDeflate({ level: 1 }),
  br: () => createBrotliCompress({ params: { [zlib.BROTLI_PARAM_QUALITY]: 1 } }),
} as const
const carriers: Readonly<Record<string, Fetch>> = { 'node:http': nodeFetch, fetch: (url, init) => fetch(url, init) }
const beginnings = { 'application/json': '{"jsonrpc":"2.0","id":0,"result":"', 'text/event-stream': 'data: ' } as const

/** The most memory that this process has ever had. */
const peak = (): number => process.resourceUsage().maxRSS * 1_024

/** Packs far more than a server should unpack, without ever holding it. */
async function bomb(encoding: keyof typeof encodings, beginning: string): Promise<Buffer> {
  const packing = encodings[encoding]()
  const packed = buffer(packing)
  packing.write(beginning)
  for (let at = 0; at < inflatedMebibytes; at++) {
    if (!packing.write(Buffer.alloc(mebibyte, 'x'))) await once(packing, 'drain')
  }
  packing.end()
  return packed
}

for (const encoding of ['gzip', 'deflate', 'br'] as const) {
  for (const [type, beginning] of Object.entries(beginnings)) {
    test(`HttpChannel: ${type} that ${encoding} makes small is too large all the same`, async (t) => {
      const packed = await bomb(encoding, beginning)
      await using server = await scripted((_, response) => {
        response.writeHead(200, { 'content-type': type, 'content-encoding': encoding }).end(packed)
      })
      for (const [how, fetch] of Object.entries(carriers)) {
        const before = peak()
        const channel = httpChannel(server.url, { fetch })
        const receiver = new Recorder()
        channel.open(receiver)
        channel.send({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
        await assert.rejects(receiver.unanswered(), { code: 'TooLarge', outcome: 'Unknown' })
        await channel.close()
        const grown = peak() - before
        t.diagnostic(`${how}: ${packed.length} bytes took ${Math.round(grown / mebibyte)} MiB more`)
        assert.ok(grown < mostGrowth, `${how}: ${grown}`)
      }
    })
  }
}
