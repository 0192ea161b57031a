import assert from 'node:assert/strict'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { secretFor } from '../../../mcp/test/fixtures/canary.ts'
import { apiClient } from '../../src/api-entry.ts'
import { textOf } from '../gateway/running-host.ts'
import { callerOf, person, programEntry } from '../run/person.ts'

/** Secrets in every place where a configuration refers to one. */
const secrets = {
  CANARY_ENV: secretFor('env'),
  CANARY_HEADER: secretFor('header'),
  CANARY_MODEL: secretFor('model'),
}
const argument = secretFor('argument')

/** A text in the forms in which it may travel. */
const forms = (secret: string): readonly string[] => [
  secret,
  Buffer.from(secret).toString('base64').replace(/=+$/, '').slice(0, -1),
  Buffer.from(secret).toString('hex'),
]

it('canaries are nowhere but where they belong: files, record, log, errors, answers of the API, command lines', async () => {
  using ann = person()
  ann.configure({
    mcpServers: {
      one: programEntry('upstream', { env: { API_TOKEN: `\${CANARY_ENV}` } }),
      gone: { url: 'http://127.0.0.1:1/mcp', headers: { authorization: `Bearer \${CANARY_HEADER}` } },
    },
    models: { best: { provider: 'compatible', url: 'http://127.0.0.1:1', key: `\${CANARY_MODEL}`, model: 'x' } },
    host: { maxResultKb: 1 },
    policy: { allow: ['one:*'] },
  })
  const machine = { ...ann.machine, environment: { ...ann.machine.environment, ...secrets } }
  const seen: [where: string, text: string][] = []
  const errors: unknown[] = []
  const logged: unknown[] = []
  await using running = await ann.run({
    machine,
    onError: (error) => errors.push(error),
    onLog: (_server, lines) => logged.push(lines),
  })
  await running.host.accept('one')
  await running.host.accept('gone').catch((error: unknown) => errors.push(error))
  const { token } = await running.host.principals.make({ name: 'watched' })
  await using mcp = await callerOf(running)
  const call = async (tool: string, args: object) =>
    seen.push([
      tool,
      textOf(
        await mcp.tools
          .call(tool, args as never)
          .catch((error: Error) => ({ content: [{ type: 'text', text: error.message }] })),
      ),
    ])
  await call('one__write', { text: 'done', password: argument })
  await call('one__echo', { text: 'x'.repeat(5_000) })
  await call('one__crash', {})
  await call('gone__any', {})
  await using other = await callerOf(running, 'other')
  seen.push(['another caller', JSON.stringify(await other.tools.list().all())])

  const api = apiClient(JSON.parse(readFileSync(running.runningFile, 'utf8')))
  const { id } = await api.call('startChat', {})
  await api.call('sendChat', { id, text: 'Hello' }).catch((error: unknown) => errors.push(error))
  const { items } = await api.call('ledger', {})
  const questions = [
    ...['status', 'servers', 'catalogue', 'outdated', 'inbox', 'policy', 'taint', 'models', 'clients', 'policyFile'],
  ] as const
  for (const question of questions) seen.push([question, JSON.stringify(await api.call(question as 'status'))])
  for (const server of ['one', 'gone']) seen.push(['log', JSON.stringify(await api.call('log', { server }))])
  for (const key of ['mcpServers', 'models'])
    seen.push(['config', JSON.stringify(await api.call('explainConfig', { key }))])
  for (const { line } of items)
    if (line.act) seen.push(['act', JSON.stringify(await api.call('act', { act: line.act }))])
  seen.push(['chat', JSON.stringify(await api.call('chat', { id }))], ['errors', errors.map(String).join('\n')])
  seen.push(['log', JSON.stringify(logged)], ['ledger', JSON.stringify(items)])
  // waits until everything is written
  await running.host.retention.prune()
  for (const file of filesIn(ann.home)) seen.push([file, readFileSync(file, 'latin1')])
  for (const [pid, line] of commandLines()) seen.push([`command line ${pid}`, line])

  assert.ok(seen.length > 30, String(seen.length))
  const kept = [...Object.entries(secrets), ['argument', argument] as const, ['token', token] as const]
  for (const [name, secret] of kept) {
    const found = seen.filter(([, text]) => forms(secret).some((form) => text.includes(form)))
    assert.deepEqual(
      found.map(([where]) => where),
      [],
      name,
    )
  }
  // the server that needs it has it
  const { pid } = running.host.servers.get('one')?.status ?? {}
  if (process.platform === 'linux' && pid !== undefined)
    assert.ok(readFileSync(`/proc/${pid}/environ`, 'utf8').includes(secrets.CANARY_ENV))
})

function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true })
    .map((name) => join(folder, String(name)))
    .filter((path) => statSync(path).isFile())
}

/** The command lines of this process and its children. */
function commandLines(): readonly (readonly [pid: string, line: string])[] {
  if (process.platform !== 'linux') return []
  return readdirSync('/proc').flatMap((pid) => {
    if (!/^\d+$/.test(pid)) return []
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
      const parent = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]
      const isOurs = pid === String(process.pid) || parent === String(process.pid)
      return isOurs ? [[pid, readFileSync(`/proc/${pid}/cmdline`, 'utf8')] as const] : []
    } catch {
      return []
    }
  })
}
