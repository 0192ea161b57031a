import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { temporaryFolder } from '../../../test/temporary-folder.ts'
import { openStore } from '../../store/store.ts'
import { allTables } from '../../store/tables/all-tables.ts'
import type { Launch } from '../launch.ts'
import { Programs } from './programs.ts'

const launchOf = (name: string): Launch => ({ kind: 'program', command: 'npx', args: ['-y', name], cwd: '/', env: {} })

/** Programs with a package manager that runs these lines of a shell. */
async function unpackedWith(lines: string, names: readonly string[]): Promise<readonly string[]> {
  using folder = temporaryFolder()
  const bin = join(folder.path, 'bin')
  mkdirSync(bin)
  writeFileSync(join(bin, 'npm'), `#!/bin/sh\ncd "${folder.path}"\n${lines}\n`)
  chmodSync(join(bin, 'npm'), 0o755)
  await using store = openStore({ path: join(folder.path, 'store.db'), rooms: allTables })
  const environment = () => ({ PATH: `${bin}:${process.env.PATH}` })
  const programs = new Programs(store, { folder: join(folder.path, 'programs'), environment })
  const outcomes = await Promise.allSettled(names.map((name) => programs.unpack(launchOf(name))))
  return outcomes.map((one) => (one.status === 'rejected' ? String(one.reason.message) : 'installed'))
}

test('Programs: packages are installed side by side', async () => {
  const lines = `touch "started-$$"
for turn in $(seq 200); do
  [ "$(ls -d started-* | wc -l)" -ge 3 ] && { echo together >&2; exit 1; }
  sleep 0.05
done
echo alone >&2; exit 1`
  const said = await unpackedWith(lines, ['a', 'b', 'c'])
  assert.deepEqual(
    said,
    ['a', 'b', 'c'].map((name) => `Cannot install "${name}": together`),
  )
})

test('Programs: a package that does not exist is reported as that', async () => {
  const lines = `echo 'npm error code E404' >&2; echo 'npm error 404 Not Found - GET http://r/nope - Not found' >&2; exit 1`
  assert.deepEqual(await unpackedWith(lines, ['nope']), ['Cannot install "nope": the registry has no such package'])
})
