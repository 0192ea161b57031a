import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { type Client, type ClientOptions, connect, type Target } from '@trunkline/mcp'
import { programFile } from '../../../../tools/lib/program-file.ts'
import { tracked } from '../no-leaks.ts'
import { ending, endless, watchUncaught, zoo } from './zoo.ts'

const here = watchUncaught()
const program = { command: process.execPath, args: [programFile(new URL('zoo-server.ts', import.meta.url))] }
const cages: readonly { where: string; target: Target }[] = [
  { where: 'in memory', target: tracked(zoo(here)) },
  { where: 'over stdio', target: program },
]
const options: ClientOptions = {
  elicitation: () => ({ action: 'accept', content: { ok: true } }),
  sampling: () => ({ role: 'assistant', model: 'test', content: { type: 'text', text: 'hm' } }),
  onLog: () => {},
  onWarning: () => {},
  limits: { maxInputRoundsPerCall: 3 },
}

for (const { where, target } of cages) {
  for (const revision of ['2026-07-28', '2025-11-25']) {
    suite(`${where}, ${revision}`, () => {
      let client: Client
      before(async () => {
        client = tracked(await connect(target, { ...options, revisions: [revision] })) as Client
      })
      after(async () => {
        assert.deepEqual(await said(client, 'uncaught'), '[]')
        assert.deepEqual(client.live, { pending: 0, serving: 0, watching: 0 })
        await client.close()
      })

      for (const name of Object.keys(ending)) {
        test(`a handler that ${name} harms no other call`, async () => {
          await client.tools
            .call(name, {}, { onProgress: () => {} })
            .catch(({ code }) => assert.notEqual(code, 'Closed'))
          assert.equal(await said(client, 'healthy'), 'fine')
        })
      }

      test('a handler may return anything that can be waited for', async () => {
        assert.equal(await said(client, 'resolves twice'), 'first')
        assert.equal(await said(client, 'resolves and throws'), 'first')
      })

      for (const name of Object.keys(endless)) {
        test(`a handler that ${name} can be cancelled and harms no other call`, async () => {
          const stop = new AbortController()
          const call = client.tools.call(name, {}, { signal: stop.signal })
          await client.ping()
          stop.abort(new Error('enough'))
          await assert.rejects(call, /enough/)
          assert.equal(await said(client, 'healthy'), 'fine')
        })
      }
    })
  }
}

async function said(client: Client, tool: string): Promise<string> {
  const [block] = (await client.tools.call(tool, {})).content
  return block?.type === 'text' ? block.text : ''
}
