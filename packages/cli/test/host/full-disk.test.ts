import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { lacking } from '../../../../tools/lib/needs.ts'
import { commandPath } from '../command-path.ts'

const skip = lacking('namespaces', spawnSync('unshare', ['-rm', 'true']).status === 0)

/** The words by the size of the disk: on the smallest one, the host that fails cannot write its log either. */
const disks: { readonly [size: string]: RegExp } = {
  '4k': /^trunkline: Cannot start the host: the disk that holds "\S+\/home\/state" is full; free some space, or set TRUNKLINE_HOME to a folder elsewhere\n/,
  '16k':
    /^trunkline: Cannot start the host: Cannot use "\S+\/trunkline\.db": the disk is full or the size limit is reached; free some space/,
}

for (const [size, words] of Object.entries(disks)) {
  test(`up --detach: a full disk of ${size} is named in words, with what to do`, { skip }, () => {
    const folder = mkdtempSync(join(tmpdir(), 'full-'))
    const small = `mount -t tmpfs -o size=${size} none "${folder}" && exec "$0" "$@"`
    const env = { ...process.env, TRUNKLINE_HOME: join(folder, 'home') }
    const line = ['-rm', 'sh', '-c', small, process.execPath, commandPath, 'up', '--detach']
    const { stderr, status } = spawnSync('unshare', line, { env, encoding: 'utf8' })
    rmSync(folder, { recursive: true })
    assert.match(stderr, words)
    assert.equal(status, 4)
  })
}
