import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { TreeWatch } from './watch-tree.ts'

test('TreeWatch: tells of files in folders, new ones too, and not of what is ignored', {
  timeout: 120_000,
}, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'watch-'))
  try {
    for (const name of ['src/deep', 'node_modules/x', '.git']) mkdirSync(join(folder, name), { recursive: true })
    let tell: (path: string) => void = () => {}
    const next = () =>
      new Promise<string>((resolve) => {
        tell = resolve
      })
    using watch = new TreeWatch([folder], (path) => tell(path))
    assert.equal(watch.size, 3)
    const change = async (path: string): Promise<string> => {
      const told = next()
      // ignored files come first and are not reported
      writeFileSync(join(folder, 'node_modules/x/file'), 'x')
      writeFileSync(join(folder, '.hidden'), 'x')
      writeFileSync(join(folder, path), 'x')
      return told
    }
    assert.equal(await change('src/deep/file'), join(folder, 'src/deep/file'))
    const made = next()
    mkdirSync(join(folder, 'src/new'))
    assert.equal(await made, join(folder, 'src/new'))
    assert.equal(await change('src/new/file'), join(folder, 'src/new/file'))
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('TreeWatch: so many folders and no more', () => {
  const folder = mkdtempSync(join(tmpdir(), 'watch-'))
  try {
    for (let at = 0; at < 30; at++) mkdirSync(join(folder, `${at}`))
    using watch = new TreeWatch([folder], () => {}, 10)
    assert.equal(watch.size, 10)
  } finally {
    rmSync(folder, { recursive: true })
  }
})
