import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, it } from 'node:test'
import { hostHome } from '../../../cli/test/host/host-home.ts'

describe('up names the problem and the remedy', () => {
  it('when the port is in use', async () => {
    await using at = hostHome()
    const other = createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => other.once('listening', resolve))
    const { port } = other.address() as { port: number }
    const { exit, stderr } = await at.run('up', '--port', String(port))
    other.close()
    assert.notEqual(exit, 0)
    // as it was started: by its path, or by its name in a shell
    const by = `"${process.argv0}[^"]*" \\(process ${process.pid}\\)`
    assert.match(stderr, new RegExp(`Cannot listen on 127\\.0\\.0\\.1:${port}: ${by} uses the port; end that program`))
  })

  it('when the database is of a newer program, and leaves it as it is', async () => {
    await using at = hostHome()
    const { child } = await at.up()
    await at.run('down')
    child.kill()
    const file = join(at.home, '.local/state/trunkline/trunkline.db')
    const database = new DatabaseSync(file)
    database.exec("UPDATE migration SET step = step + 100 WHERE room = 'ledger'")
    database.close()
    const { exit, stderr } = await at.run('up')
    assert.notEqual(exit, 0)
    assert.match(stderr, /trunkline\.db": a newer Trunkline wrote it .*; update Trunkline, or move the file away/)
  })

  it('when the database is none', async () => {
    await using at = hostHome()
    const state = join(at.home, '.local/state/trunkline')
    mkdirSync(state, { recursive: true })
    writeFileSync(join(state, 'trunkline.db'), 'this is no database, whatever it is called. '.repeat(100))
    const { exit, stderr } = await at.run('up')
    assert.notEqual(exit, 0)
    assert.match(stderr, /damaged or no SQLite database; move it away to start empty/)
  })

  it('when another host uses the folder', async () => {
    await using at = hostHome()
    await at.up()
    const { exit, stderr } = await at.run('up')
    assert.equal(exit, 4)
    assert.match(stderr, /process \d+/)
  })

  it('when a file stands where its folder should be', async () => {
    await using at = hostHome()
    mkdirSync(join(at.home, '.local/state'), { recursive: true })
    writeFileSync(join(at.home, '.local/state/trunkline'), '')
    const { exit, stderr } = await at.run('up')
    assert.notEqual(exit, 0)
    assert.match(stderr, /Cannot make the folder ".*trunkline": a file of that name is in the way/)
  })
})
