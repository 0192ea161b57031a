import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { CallToolResult, Fields } from '@trunkline/mcp'
import { programFile } from '../../../../tools/lib/program-file.ts'
import { until } from '../../../../tools/lib/until.ts'
import { Host } from '../../src/assembly/host.ts'
import { queryLedger } from '../../src/ledger/query.ts'
import { parseRule } from '../../src/policy/parse-rule.ts'
import { killServer } from '../run/kill-server.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { textOf } from './running-host.ts'

const allow = parseRule('allow', '*:*', { layer: 'user', file: 'trunkline.json', line: 1 })

describe('a caller without a session that answers later', () => {
  const file = programFile(new URL('../programs/matrix-upstream.ts', import.meta.url))
  const env = { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? '' }
  const launch = {
    kind: 'program',
    command: process.execPath,
    args: [file, 'handshake', 'stdio'],
    cwd: '/',
    env,
  } as const
  const call = { name: 'asker__form', arguments: {} }

  /** The answer to one request, as it stands on the wire. */
  async function post({ url }: Host, token: string, params: Fields): Promise<Fields> {
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } },
    }
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      authorization: `Bearer ${token}`,
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': call.name,
    }
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { ...params, _meta } })
    const text = await (await fetch(url, { method: 'POST', headers, body })).text()
    const event = text.split('\n').findLast((line) => line.startsWith('data:'))
    return JSON.parse(event?.slice('data:'.length) ?? text)
  }

  it('gets the same outcome twice; once its server or the host went away it hears that it is unknown', async () => {
    using folder = temporaryFolder()
    const start = async () => {
      const host = new Host({ folder: folder.path, servers: [{ name: 'asker', launch }], rules: [allow] })
      await host.start()
      return host
    }
    let token = ''
    const asked = async (host: Host) => (await post(host, token, call)).result as Fields
    const answered = async (host: Host, { inputRequests, requestState }: Fields) => {
      const keys = Object.keys(inputRequests as Fields)
      const accepted = { action: 'accept', content: { name: 'Ada' } }
      const inputResponses = Object.fromEntries(keys.map((key) => [key, accepted]))
      return post(host, token, { ...call, inputResponses, requestState })
    }
    let last: Fields
    {
      await using host = await start()
      await host.accept('asker')
      token = (await host.principals.make({ name: 'editor' })).token
      const first = await asked(host)
      for (const _ of ['once', 'and again']) {
        const { content } = (await answered(host, first)).result as Fields
        assert.deepEqual(content, [{ type: 'text', text: 'Ada' }])
      }
      const second = await asked(host)
      const asker = host.servers.get('asker') ?? assert.fail()
      killServer(asker)
      await until(() => !asker.isConnected)
      const lost = (await answered(host, second)).result as Fields
      assert.equal(lost.isError, true)
      assert.match(textOf(lost as unknown as CallToolResult), /SIGKILL.*; whether it was done is not known$/s)
      const outcomes = queryLedger(host.store, { target: 'form' }).map(({ line }) => `${line.kind} ${line.outcome}`)
      assert.deepEqual(
        outcomes.filter((one) => one.startsWith('ended')),
        ['ended unknown', 'ended ok'],
      )
      last = await asked(host)
    }
    await using host = await start()
    const { error } = await answered(host, last)
    assert.match(String((error as Fields).message), /the host was restarted .*; what became of it is unknown/)
  })
})
