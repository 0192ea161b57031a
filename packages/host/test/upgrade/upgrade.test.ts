import assert from 'node:assert/strict'
import { cpSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it, mock } from 'node:test'
import { type Client, connect } from '@trunkline/mcp'
import { spawnChannel } from '@trunkline/mcp/stdio'
import { lacking } from '../../../../tools/lib/needs.ts'
import { commandPath } from '../../../cli/test/command-path.ts'
import { type ServerKey, serverNameOf } from '../../src/act/server-key.ts'
import { type ApiClient, apiClient } from '../../src/api-entry.ts'
import { readInstallRecords } from '../../src/clients/install/install-record.ts'
import type { Question } from '../../src/inbox/question.ts'
import { verifyExport } from '../../src/ledger/export.ts'
import { queryLedger } from '../../src/ledger/query.ts'
import { runHost } from '../../src/running/run-host.ts'
import type { RunningHost } from '../../src/running/run-host-types.ts'
import { textOf } from '../gateway/running-host.ts'
import { answer, questionOf } from '../run/person.ts'
import { type UpgradedHome, upgradedHome, versions } from './upgraded-home.ts'

interface Upgraded extends AsyncDisposable {
  readonly at: UpgradedHome
  readonly running: RunningHost
  api(): ApiClient
  dial(client: string): Promise<Client>
}

/** The host of today on a home of a version, a minute after the last thing was written there. */
async function upgraded(version: string): Promise<Upgraded> {
  const at = await upgradedHome(version)
  const ahead = Date.now() - at.madeAt - 60_000
  const real = Date.now.bind(Date)
  mock.method(Date, 'now', () => real() - ahead)
  const environment = { HOME: at.home, PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE }
  const running = await runHost({
    machine: { platform: process.platform, home: at.home, environment },
    directory: at.project,
    flags: { 'host.port': 0 },
    ask: { holdMs: 1 },
  })
  return {
    at,
    running,
    api: () => apiClient(JSON.parse(readFileSync(running.runningFile, 'utf8'))),
    dial: (client) =>
      connect(new URL(running.host.url), { http: { headers: { authorization: `Bearer ${at.tokens[client]}` } } }),
    async [Symbol.asyncDispose]() {
      await running.close()
      mock.restoreAll()
      await at[Symbol.asyncDispose]()
    },
  }
}

/** Answer to a client that starts `trunkline stdio` under a name. */
async function saidTo(client: string, { at }: Upgraded): Promise<string> {
  const env = { HOME: at.home, PATH: process.env.PATH ?? '' }
  const args = [commandPath, 'stdio', '--client', client]
  await using mcp = await connect(() => spawnChannel({ command: process.execPath, args, cwd: at.project, env }))
  return textOf(await mcp.tools.call('notes__read_note', { path: 'a' }))
}

/** The only question about the acceptances of an earlier version, once it lists something. */
function listed({ running }: Upgraded, line: RegExp): Promise<Question> {
  return questionOf(running, 'programs', ({ detail }) =>
    (detail.changes as readonly string[]).some((one) => line.test(one)),
  )
}

const onLinux = { skip: lacking('linux', process.platform === 'linux') }

for (const version of versions) {
  describe(`a home of version ${version}, opened by the host of today`, onLinux, () => {
    it('lets clients connect with their tokens, but for one that was revoked', async () => {
      await using host = await upgraded(version)
      for (const name of ['editor', 'chatting', 'reader']) {
        await using mcp = await host.dial(name)
        assert.ok((await mcp.tools.list().all()).length > 0, name)
      }
      await assert.rejects(host.dial('gone'))
      const approvers = host.running.host.principals.all().filter(({ isApprover }) => isApprover)
      assert.deepEqual(
        approvers.map(({ name }) => name),
        ['chatting'],
      )
    })

    it('starts accepted servers unasked, those of the accepted project too, and asks about the others', async () => {
      await using host = await upgraded(version)
      await using mcp = await host.dial('editor')
      for (const server of ['notes', 'diary', 'tracker'])
        assert.equal(textOf(await mcp.tools.call(`${server}__read_note`, { path: 'a' })), 'read_note a', server)
      const asked = host.running.host.inbox.open.filter(({ kind }) => kind === 'start')
      assert.deepEqual(
        asked.map(({ server }) => server),
        ['later'],
      )
      assert.deepEqual(host.running.state.waiting, [])
    })

    it('keeps the rules that a person wrote or made by "always", and their denials', async () => {
      await using host = await upgraded(version)
      await using mcp = await host.dial('editor')
      const said = async (tool: string, path: string) => textOf(await mcp.tools.call(tool, { path }))
      assert.equal(await said('notes__write_note', 'anything'), 'write_note anything')
      assert.equal(await said('notes__delete_note', 'always'), 'delete_note always')
      assert.match(await said('notes__delete_note', 'other'), /waits for a person/)
      assert.equal(await said('tracker__write_note', 'issue'), 'write_note issue')
      assert.match(await said('notes__shred_note', 'x'), /denied|deny/)
      assert.match(await said('notes__write_note', join(host.at.project, 'secret/x')), /denied|deny/)
    })

    it('keeps the grants of a session, the data that clients have read, and the open question', async () => {
      await using host = await upgraded(version)
      await using editor = await host.dial('editor')
      assert.equal(textOf(await editor.tools.call('mail__write_note', { path: 'more' })), 'write_note more')
      const open = host.running.host.inbox.open.filter(({ kind }) => kind === 'call')
      assert.deepEqual(
        open.map(({ server, target, detail }) => [server, target, detail.arguments]),
        [['mail', 'delete_note', { path: 'open' }]],
      )
      await using reader = await host.dial('reader')
      assert.match(textOf(await reader.tools.call('notes__write_note', { path: 'x' })), /waits for a person/)
    })

    it('verifies the ledger it found as unsigned up to its end, goes on with it, and finds its payloads', async () => {
      await using host = await upgraded(version)
      const { ledger, store } = host.running.host
      const { lines, broken, unsignedUpTo } = ledger.verify()
      assert.equal(broken, undefined)
      assert.ok(lines > 40)
      assert.ok(unsignedUpTo > 40, 'lines of before are unsigned')
      const [call] = queryLedger(store, { server: 'notes', target: 'delete_note', kind: 'ended' })
      assert.deepEqual(ledger.payloads.of(call?.line.act ?? '').arguments, { path: 'string of 6' })
      await using mcp = await host.dial('editor')
      await mcp.tools.call('notes__read_note', { path: 'a' })
      const { lines: more, broken: later } = ledger.verify()
      assert.equal(later, undefined)
      assert.ok(more > lines)
      assert.equal(ledger.verify().unsignedUpTo, unsignedUpTo)
      const exported = readFileSync(join(host.at.project, 'ledger.jsonl'), 'utf8').split('\n')
      assert.equal(verifyExport(exported).broken, undefined)
    })

    it('lists the files found for servers that were accepted before in one question', async () => {
      await using host = await upgraded(version)
      await using mcp = await host.dial('editor')
      const servers = ['notes', 'diary', 'mail', 'tracker']
      for (const server of servers) await mcp.tools.call(`${server}__read_note`, { path: 'a' })
      const listed = host.running.host.inbox.open.filter(({ kind }) => kind === 'programs')
      assert.equal(listed.length, 1)
      const names = ((listed[0]?.detail.servers ?? []) as readonly ServerKey[]).map(serverNameOf)
      for (const server of servers) assert.ok(names.includes(server), server)
    })

    it('names rules whose meaning has narrowed, with the remedy', async () => {
      await using host = await upgraded(version)
      const { rules } = await host.api().call('policy')
      const outdated = rules.filter((rule) => rule.outdated !== undefined).map(({ text }) => text)
      assert.deepEqual(outdated, ['notes:delete_note{path="always"}'])
    })

    it('admits an installed client, bound to the first program that starts it; the name of one with a token is asked about', async () => {
      await using host = await upgraded(version)
      for (let time = 0; time < 2; time += 1) assert.equal(await saidTo('cursor', host), 'read_note a')
      assert.match(await saidTo('editor', host), /"editor", started by .*, was not accepted yet/)
    })

    it('lists its clients in the same question, each with the program it is bound to once it has connected', async () => {
      await using host = await upgraded(version)
      const before = await listed(
        host,
        /^\+ client cursor: not connected yet; bound to the program that connects first$/,
      )
      assert.deepEqual(before.detail.clients, ['chatting', 'cursor', 'editor', 'reader'])
      const lines = before.detail.changes as readonly string[]
      assert.ok(lines.includes('+ client editor: known by its token'), String(lines))
      assert.ok(lines.includes('+ client chatting: its answers count as yours'))
      await saidTo('cursor', host)
      const after = await listed(host, /^\+ client cursor: started by .*upgrade\.test\.ts in /)
      const { host: running } = host.running
      await answer(host.running, after, 'once')
      assert.equal(await saidTo('cursor', host), 'read_note a')
      assert.deepEqual(await running.clients.found(), [])
      await running.principals.make({ name: 'fresh' })
      assert.equal(await saidTo('fresh', host), 'read_note a')
      assert.deepEqual(
        running.inbox.open.filter(({ kind }) => kind === 'programs'),
        [],
      )
    })

    it('asks about each listed client when it connects, if the list is refused, until it is added anew', async () => {
      await using host = await upgraded(version)
      assert.equal(await saidTo('cursor', host), 'read_note a')
      const { inbox, principals } = host.running.host
      const question = await listed(host, /^\+ client cursor: started by /)
      await answer(host.running, question, 'refuse')
      assert.match(await saidTo('cursor', host), /"cursor", started by .*, was not accepted yet/)
      const asked = inbox.open.find(({ kind, target }) => kind === 'client' && target === 'cursor')
      assert.equal(asked?.why, 'you refused what was found under this name')
      await principals.make({ name: 'cursor' })
      assert.equal(await saidTo('cursor', host), 'read_note a')
    })

    it('warns of settings for the whole host in the accepted project, and refuses them by name in another one', async () => {
      await using host = await upgraded(version)
      const wholeHost = ['host.port', 'models.small.provider', 'models.small.name', 'model.use']
      const named = (directory: string, isWarning: boolean) =>
        host.running.config
          .effective(directory)
          .then(({ problems }) =>
            problems
              .filter((one) => (one.isWarning ?? false) === isWarning && /the whole host/.test(one.problem))
              .map(({ key }) => key),
          )
      assert.deepEqual(await named(host.at.project, true), wholeHost)
      assert.deepEqual(await named(host.at.project, false), [])
      const other = join(host.at.project, '../other')
      cpSync(host.at.project, other, { recursive: true })
      assert.deepEqual(await named(other, false), wholeHost)
      assert.deepEqual(await named(other, true), [])
    })

    it('takes its configuration, locks and install records as they are', async () => {
      await using host = await upgraded(version)
      const { running } = host
      assert.deepEqual(
        running.state.problems.filter(({ file }) => file.startsWith(host.at.home)),
        [],
      )
      const { items } = await host.api().call('verifyLock')
      const differs = items.filter(({ result }) => result !== 'same')
      assert.deepEqual(
        differs.map(({ server, result }) => `${server} ${result}`),
        ['later new'],
      )
      const [record] = await readInstallRecords(running.places)
      assert.deepEqual([record?.client, record?.putIn], ['cursor', ['notes']])
    })
  })
}
