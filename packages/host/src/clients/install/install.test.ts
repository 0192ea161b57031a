import assert from 'node:assert/strict'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, it } from 'node:test'
import { installHome as home, notes, whyNone } from '../../../test/install-home.ts'
import type { ServerEntry } from '../../config/schema/server-entry.ts'
import { bypassingClients } from './bypasses.ts'
import { isInstalled, readInstallRecord, readInstallRecords } from './install-record.ts'
import { writeInstall } from './write-install.ts'

const two = `{
  // by hand
  "mcpServers": {
    "Notes": { "command": "notes", "env": { "TOKEN": "x" } },
    "mine": { "command": "mine" }
  }
}
`

const entriesOf = (text: string) =>
  JSON.parse(text.replace(/^\s*\/\/.*$/gm, '')).mcpServers as { [name: string]: { command: string; args: string[] } }

describe('connecting a client', () => {
  it('puts the host in the place of the servers that it runs, under the same names, and leaves all others', async () => {
    using at = home(two)
    const { takenOut, putIn } = await at.install()
    assert.deepEqual([takenOut, putIn], [['Notes'], ['Notes']])
    const { Notes, mine, ...more } = entriesOf(at.read())
    assert.deepEqual(
      [Notes?.command, Notes?.args],
      ['/usr/bin/node', ['/opt/tl.js', 'stdio', '--client', 'cursor', '--server', 'notes']],
    )
    assert.deepEqual([mine, more], [{ command: 'mine' }, {}])
    assert.match(at.read(), /\/\/ by hand/)
  })

  it('matches entries by their programs, and says why others stay outside', async () => {
    const entry = (folder: string, more = '') => `{ "command": "npx", "args": ["-y", "files", "${folder}"]${more} }`
    using at = home(`{ "mcpServers": {
      "filesystem": ${entry('/b')},
      "fs": ${entry('/a')},
      "docs": { "command": "npx", "args": ["mcp-remote", "https://docs.example/mcp"] },
      "old": ${entry('/a', ', "disabled": true')},
      "mine": { "command": "mine" },
      "off": { "command": "off" }
    } }`)
    at.write(join(at.path, 'shop/.cursor/mcp.json'), '{ "mcpServers": { "team": { "command": "notes" } } }')
    const files = { command: 'npx', args: ['files', '/a'] }
    const { takenOut, outside = [] } = await at.install('cursor', {
      project: join(at.path, 'shop'),
      servers: new Map(
        Object.entries<ServerEntry>({
          filesystem: files,
          documents: { url: 'https://docs.example/mcp/' },
          off: { command: 'off', disabled: true },
        }),
      ),
    })
    assert.deepEqual(takenOut, ['fs', 'docs'])
    const entries = entriesOf(at.read())
    assert.deepEqual(entries.fs?.args.slice(-2), ['--server', 'filesystem'])
    assert.deepEqual(entries.docs?.args.slice(-2), ['--server', 'documents'])
    assert.deepEqual(entries.filesystem?.args, ['-y', 'files', '/b'])
    const whys = Object.fromEntries(outside.map(({ name, why }) => [name, why]))
    assert.deepEqual(Object.keys(whys).sort(), ['filesystem', 'mine', 'off', 'old', 'team'])
    assert.match(whys.filesystem ?? '', /the "filesystem" of Trunkline has other arguments; "trunkline init" takes it/)
    assert.match(whys.mine ?? '', /Trunkline has no server that runs this/)
    assert.match(whys.old ?? '', /disabled there/)
    assert.match(whys.off ?? '', /Trunkline has it disabled, as "off"/)
    assert.match(whys.team ?? '', /shop\/\.cursor\/mcp\.json, which "install" leaves as it is/)
    assert.equal((await readInstallRecord(at.places, 'cursor'))?.outside, undefined)
  })

  it('names clients that start servers past the host, whether they are connected or not', async () => {
    using at = home(two)
    at.write(join(at.path, '.gemini/settings.json'), '{ "mcpServers": { "n": { "command": "shop" } } }')
    const servers = new Map([
      ['notes', notes],
      ['shop', { command: 'shop' }],
    ])
    const found = () => bypassingClients({ machine: at.machine, places: at.places, project: at.path, servers })
    assert.deepEqual(
      (await found()).map(({ client, entries }) => [client, entries.map(({ name }) => name)]),
      [
        ['cursor', ['Notes', 'mine']],
        ['gemini-cli', ['n']],
      ],
    )
    await at.install('cursor', { launcher: ['/usr/bin/node', '/opt/trunkline.js'] })
    assert.deepEqual(
      (await found()).map(({ client, isConnected, entries }) => [client, isConnected, entries]),
      [
        ['cursor', true, [{ name: 'mine', why: whyNone }]],
        ['gemini-cli', false, [{ name: 'n', why: 'Trunkline runs it too, as "shop"' }]],
      ],
    )
  })

  it('puts one entry for all where the client had none of them, or no file', async () => {
    for (const text of [undefined, '{ "mcpServers": { "mine": { "command": "mine" } } }']) {
      using at = home(text)
      const { takenOut, putIn } = await at.install()
      assert.deepEqual([takenOut, putIn], [[], ['trunkline']])
      assert.deepEqual(entriesOf(at.read()).trunkline?.args, ['/opt/tl.js', 'stdio', '--client', 'cursor'])
    }
  })

  it('is undone byte for byte, and removes the file and the folders that it made', async () => {
    using at = home(two)
    await at.install()
    assert.deepEqual(await at.undo(), [{ file: at.file, isRemoved: false }])
    assert.equal(at.read(), two)
    assert.equal(await isInstalled('cursor', at.places), false)
    using empty = home()
    await empty.install()
    assert.equal(await isInstalled('cursor', empty.places), true)
    assert.deepEqual(await empty.undo(), [{ file: empty.file, isRemoved: true }])
    assert.equal(existsSync(dirname(empty.file)), false)
  })

  it('is undone around later changes elsewhere in the file, and leaves a folder that is used', async () => {
    using at = home(two)
    await at.install()
    at.write(at.file, at.read().replace('"mine": {', '"new": { "command": "new" },\n    "mine": {'))
    await at.undo()
    const entries = entriesOf(at.read())
    assert.deepEqual(Object.keys(entries).sort(), ['Notes', 'mine', 'new'])
    assert.deepEqual(entries.Notes, { command: 'notes', env: { TOKEN: 'x' } })
    using other = home()
    await other.install()
    other.write(join(dirname(other.file), 'theirs.json'), '{}')
    await other.undo()
    assert.deepEqual(readdirSync(dirname(other.file)), ['theirs.json'])
  })

  it('twice is undone to the content before the first time', async () => {
    using at = home(two)
    await at.install()
    await at.install('cursor', {
      servers: new Map([
        ['notes', notes],
        ['mine', { command: 'mine' }],
      ]),
    })
    assert.deepEqual(entriesOf(at.read()).mine?.command, '/usr/bin/node')
    await at.undo()
    assert.equal(at.read(), two)
  })

  it('writes nothing where the file is another one than was shown', async () => {
    using at = home(two)
    const change = await at.plan('cursor')
    at.write(at.file, `${two}\n`)
    await assert.rejects(writeInstall(change, at.places), /changed meanwhile; look at it again/)
    assert.equal(at.read(), `${two}\n`)
    assert.equal(await isInstalled('cursor', at.places), false)
  })

  it('keeps the record and the copy of the file that undo it for its owner alone', async () => {
    using at = home(two)
    await at.install()
    const folder = join(at.places.state, 'installed')
    const [backup = assert.fail()] = readdirSync(folder).filter((name) => name.endsWith('.backup'))
    assert.equal(at.read(join(folder, backup)), two)
    assert.equal(statSync(join(folder, backup)).mode & 0o777, 0o600)
    assert.equal(statSync(folder).mode & 0o777, 0o700)
    assert.deepEqual(
      (await readInstallRecords(at.places)).map(({ client }) => client),
      ['cursor'],
    )
  })

  it('refuses a client that is not known', async () => {
    using at = home()
    await assert.rejects(at.plan('nothing'), /no such client is known/)
  })
})

describe('who asks', () => {
  const asking = (asks: 'client' | 'trunkline', at: ReturnType<typeof home>) => ({
    asking: { asks, userFile: at.places.userFile },
  })
  const rulesOf = (at: ReturnType<typeof home>) => JSON.parse(at.read(at.places.userFile)).policy?.allow

  it('where the client does, a rule allows it writing and unknown tools alone, and goes with it', async () => {
    using at = home(two)
    const mine = '{ "policy": { "allow": ["shop:get_*"] } }'
    at.write(at.places.userFile, mine)
    await at.install('cursor', asking('client', at))
    assert.deepEqual(rulesOf(at), ['shop:get_*', { class: ['writes', 'unknown'], principal: 'cursor' }])
    await at.install('cursor', asking('client', at))
    assert.equal(rulesOf(at).length, 2, 'once, however often it is installed')
    await at.undo()
    assert.equal(at.read(at.places.userFile), mine)
  })

  it('changed to the host, the rule is gone', async () => {
    using at = home(two)
    at.write(at.places.userFile, '{}')
    await at.install('cursor', asking('client', at))
    await at.install('cursor', asking('trunkline', at))
    assert.equal(rulesOf(at), undefined)
    await at.undo()
    assert.equal(at.read(at.places.userFile), '{}')
    assert.equal(at.read(), two)
  })

  it('of two clients each takes back its own rule, whichever goes first', async () => {
    using at = home(two)
    at.write(at.places.userFile, '{}')
    at.write(join(at.path, '.claude.json'), '{}')
    await at.install('cursor', asking('client', at))
    await at.install('claude-code', asking('client', at))
    assert.equal(rulesOf(at).length, 2)
    await at.undo('cursor')
    assert.deepEqual(rulesOf(at), [{ class: ['writes', 'unknown'], principal: 'claude-code' }])
    await at.undo('claude-code')
    assert.equal(at.read(at.places.userFile), '{}')
  })

  it('touches no file that is broken', async () => {
    using at = home(two)
    at.write(at.places.userFile, '{ "policy": ')
    await assert.rejects(at.plan('cursor', asking('client', at)), /Cannot edit/)
  })
})
