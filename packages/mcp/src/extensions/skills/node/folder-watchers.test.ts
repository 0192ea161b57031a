import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { FolderWatchers } from './folder-watchers.ts'

test('FolderWatchers: a directory that was removed and made again between two looks is watched anew', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'watch-'))
  let changed: () => void = () => {}
  const watchers = new FolderWatchers(() => changed(), assert.fail)
  try {
    const inside = join(folder, 'skill')
    mkdirSync(inside)
    watchers.add(inside)
    rmSync(inside, { recursive: true })
    mkdirSync(inside)
    watchers.add(inside)
    assert.equal(watchers.size, 1)
    // the watcher does not keep the process alive
    const alive = setInterval(() => {}, 1_000)
    await new Promise<void>((resolve) => {
      changed = resolve
      writeFileSync(join(inside, 'SKILL.md'), 'x')
    })
    clearInterval(alive)
  } finally {
    watchers.close()
    rmSync(folder, { recursive: true })
  }
})
