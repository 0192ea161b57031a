import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { lacking } from '../../../../tools/lib/needs.ts'

const apart = ['--map-root-user', '--net', '--mount']
const canTry = spawnSync('unshare', [...apart, 'ip', 'link', 'set', 'lo', 'up']).status === 0
const skip = lacking('namespaces', canTry)

/** Gives a program a network of its own, in which the address where clouds keep credentials exists. */
const setUp =
  'ip link set lo up && ip addr add 169.254.169.254/32 dev lo && mount --bind "$1" /etc/hosts && shift && exec "$@"'

test('discovery: never connects to the metadata address of clouds, even if a server is there', { skip }, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'trunkline-'))
  try {
    const hosts = join(folder, 'hosts')
    await writeFile(hosts, '127.0.0.1 localhost\n169.254.169.254 metadata.test\n')
    const program = join(import.meta.dirname, 'where-clouds-keep-credentials.ts')
    const command = ['sh', '-c', setUp, 'sh', hosts, process.execPath, program]
    const { stdout } = await promisify(execFile)('unshare', [...apart, ...command])
    const { noticed, connections, outcomes } = JSON.parse(stdout)
    assert.deepEqual([noticed, connections], [2, []])
    assert.equal(Object.keys(outcomes).length, 28)
    assert.deepEqual([...new Set(Object.values(outcomes))], ['address'], stdout)
  } finally {
    await rm(folder, { recursive: true })
  }
})
