import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, describe, it } from 'node:test'
import { lacking } from '../../../../tools/lib/needs.ts'
import { until } from '../../../../tools/lib/until.ts'
import { source } from '../../../host/test/run/package.ts'
import { hasProgram } from '../has-program.ts'
import { inTerminal } from '../tmux.ts'
import { acceptServer, apiOf } from './host-api.ts'
import { hostHome } from './host-home.ts'

const skip = lacking('tmux', hasProgram('tmux'))
const script = (version: string) => source({ version, description: 'Reads a note' })
describe('programs that were replaced', () => {
  const open = (...args: readonly string[]) => inTerminal(args, { HOME: at.home, TRUNKLINE_HOST_PORT: '0' })

  // in this order: the second one goes on with the host of the first
  const at = hostHome()
  after(() => at[Symbol.asyncDispose]())

  /** A host with an accepted server that is a script. */
  async function withScript(): Promise<string> {
    const path = join(at.home, 'notes.cjs')
    writeFileSync(path, script('1.0.0'))
    at.configure({ mcpServers: { notes: { command: process.execPath, args: [path] } } })
    await at.up()
    await acceptServer(apiOf(at), 'notes')
    return path
  }

  /** Leaves the store as a version left it that did not bind servers to their files, and starts the host. */
  async function upgraded(): Promise<void> {
    await at.run('down')
    {
      using database = new DatabaseSync(join(at.home, '.local/state/trunkline/trunkline.db'))
      database.exec('DELETE FROM program_binding')
    }
    await at.up()
    await until(async () => (await apiOf(at).call('inbox')).items.length > 0)
  }

  it('a server whose script was replaced: doctor, status and the inbox say what changed, and y accepts it', {
    skip,
  }, async () => {
    const path = await withScript()
    writeFileSync(path, script('6.6.6'))
    const changed = /script ".*notes\.cjs" was changed \(sha256 [0-9a-f]{12} was accepted, now [0-9a-f]{12}\)/
    const notAccepted = new RegExp(`It is not what you accepted: ${changed.source}`)
    const { exit, stdout } = await at.run('doctor', 'notes')
    assert.equal(exit, 2)
    assert.match(stdout, new RegExp(`notes not accepted: ${notAccepted.source}[^\\n]*\\n {2}trunkline accept notes\\n`))
    await at.run('restart', 'notes')
    assert.match(
      (await at.run('status')).stdout,
      new RegExp(`notes +needs you .*${notAccepted.source}.*: trunkline accept notes`),
    )
    assert.match(
      (await at.run('status', 'notes')).stdout,
      new RegExp(`${changed.source}[\\s\\S]*Next: trunkline accept notes`),
    )
    await using terminal = await open('inbox')
    const shown = await terminal.until(/May this server be started\? notes[\s\S]*y accept, n refuse/)
    assert.match(
      shown,
      /because server "notes" would run something else than what you accepted: script ".*notes\.cjs" was changed/,
    )
    await terminal.answer('y')
    await terminal.until(/Accepted/)
    const notes = async () => (await apiOf(at).call('servers')).items[0]
    await until(async () => (await notes())?.isAccepted === true, 'the server to be accepted')
    assert.equal((await notes())?.differences, undefined)
  })

  it('servers of an earlier version: the inbox lists what was found of them; y keeps them, n asks before the next start', {
    skip,
  }, async () => {
    const listed =
      /Are these the servers and clients that you accepted earlier\? notes[\s\S]*\+ notes: program .*node[\s\S]*\+ notes: script .*notes\.cjs \(sha256 [0-9a-f]{12}\)[\s\S]*y accept, n refuse/
    await upgraded()
    {
      await using terminal = await open('inbox')
      await terminal.until(listed)
      await terminal.answer('y')
      await terminal.until(/Accepted[\s\S]*exit:0/)
      assert.equal((await at.run('restart', 'notes')).exit, 0)
    }
    await upgraded()
    await using terminal = await open('inbox')
    await terminal.until(listed)
    await terminal.answer('n')
    await terminal.until(/Refused[\s\S]*exit:0/)
    await at.run('restart', 'notes')
    assert.match((await at.run('status')).stdout, /notes +needs you .*you refused what it was found to run/)
  })
})
