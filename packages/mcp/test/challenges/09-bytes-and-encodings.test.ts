import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { type Client, connect } from '@trunkline/mcp'
import { serveHttp } from '@trunkline/mcp/node'
import { programFile } from '../../../../tools/lib/program-file.ts'
import { encodings, samples, texts } from './samples.ts'
import { samplesServer } from './samples-server.ts'

const program = programFile(new URL('serve-samples.ts', import.meta.url))

for (const [where, revision] of [
  ['stdio', '2026-07-28'],
  ['stdio', '2024-11-05'],
  ['http', '2026-07-28'],
  ['http', '2025-11-25'],
] as const) {
  suite(`bytes and encodings over ${where} [${revision}]`, () => {
    let mcp: Client
    let http: Awaited<ReturnType<typeof serveHttp>> | undefined
    before(async () => {
      http = where === 'http' ? await serveHttp(samplesServer()) : undefined
      const target = http ? new URL(http.url) : { command: process.execPath, args: [program] }
      mcp = (await connect(target, { revisions: [revision] })) as Client
    })
    after(async () => {
      await mcp?.close()
      await http?.close()
    })

    for (const [name, bytes] of Object.entries(samples)) {
      test(`${name}: the bytes of a resource arrive as they are`, async () => {
        const [contents] = (await mcp.resources.read(`sample:///${encodeURIComponent(name)}`)).contents
        const { blob } = contents as { blob: string }
        assert.deepEqual(new Uint8Array(Buffer.from(blob, 'base64')), bytes)
      })

      test(`${name}: the bytes of a picture and of an argument come back as they went`, async () => {
        const data = Buffer.from(bytes).toString('base64')
        const { content } = await mcp.tools.call('picture', { data })
        assert.deepEqual(content, [{ type: 'image', data, mimeType: 'image/png' }])
      })
    }

    for (const [name, text] of Object.entries(texts))
      test(`${name}: a text comes back as it went, in arguments, results, structure and resources`, async () => {
        const result = await mcp.tools.call('echo', { text })
        const [first, second] = result.content as readonly unknown[] as { text: string; resource: { text: string } }[]
        assert.deepEqual([first?.text, second?.resource.text], [text, text])
        if (revision !== '2024-11-05') assert.deepEqual(result.structuredContent, { text })
      })
  })
}

test('encodings: no sample is empty or text by accident', () => {
  for (const [name, bytes] of Object.entries(samples)) {
    const isUtf8 = (() => {
      try {
        new TextDecoder('utf-8', { fatal: true }).decode(bytes)
        return true
      } catch {
        return false
      }
    })()
    assert.equal(isUtf8, encodings[name as keyof typeof encodings] === 'utf-8', name)
  }
})
