import assert from 'node:assert/strict'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { openFolderInside } from './open-folder.ts'

function box() {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'files-')))
  const [inside, outside] = [join(folder, 'inside'), join(folder, 'outside')]
  for (const one of [inside, outside]) mkdirSync(one)
  const allowed = { folders: [inside], base: inside }
  return { inside, outside, allowed, [Symbol.dispose]: () => rmSync(folder, { recursive: true }) }
}

test('openFolderInside: what is written goes into the folder that was opened, whatever its name became', async () => {
  using at = box()
  const named = join(at.inside, 'one', 'two')
  await using folder = await openFolderInside(at.allowed, named)
  renameSync(named, join(at.inside, 'aside'))
  symlinkSync(at.outside, named)
  writeFileSync(join(folder.path, 'new.txt'), 'text')
  assert.deepEqual(readdirSync(join(at.inside, 'aside')), ['new.txt'])
  assert.deepEqual(readdirSync(at.outside), [])
})

test('openFolderInside: a link on the way is not followed, and nothing is made behind it', async () => {
  using at = box()
  symlinkSync(at.outside, join(at.inside, 'link'))
  for (const path of ['link', 'link/new']) {
    await assert.rejects(openFolderInside(at.allowed, join(at.inside, path)), /lies outside/)
  }
  await assert.rejects(openFolderInside(at.allowed, at.outside), /lies outside/)
  assert.deepEqual(readdirSync(at.outside), [])
})
