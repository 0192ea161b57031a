/** Rules about paths on Windows itself, judged by what opening a path finds there. */
import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import fc from 'fast-check'
import { lacking } from '../../../../tools/lib/needs.ts'
import { temporaryFolder } from '../../test/temporary-folder.ts'
import { mayBeInsideWindows, surelyInsideWindows, windowsPathPattern } from './windows-path-pattern.ts'

const skip = lacking('windows', process.platform === 'win32')

function folders() {
  const { path, ...folder } = temporaryFolder()
  const root = realpathSync.native(path)
  for (const name of ['Secret Folder', 'open', 'cwd']) mkdirSync(join(root, name))
  writeFileSync(join(root, 'Secret Folder/file.txt'), 'SECRET')
  writeFileSync(join(root, 'open/file.txt'), 'OPEN')
  const around = { own: [join(root, 'cwd')], besides: [] }
  const patternOf = (name: string) => windowsPathPattern(`${root}\\${name}\\**`)
  return {
    ...folder,
    root,
    isDenied: (value: string) => mayBeInsideWindows(patternOf('Secret Folder'), value, around),
    isAllowed: (value: string) => surelyInsideWindows(patternOf('open'), value, around),
  }
}

test('rules about paths: what a path opens on Windows is denied under each of its names, and allowed under none', {
  skip,
}, () => {
  using at = folders()
  const { root, isDenied, isAllowed } = at
  const rest = root.slice('C:'.length)
  const starts = [root, root.toLowerCase(), root.replaceAll('\\', '/'), `\\\\?\\${root}`, `\\\\.\\${root}`, rest]
  const names = [
    'Secret Folder',
    'SECRET FOLDER',
    'SECRET~1',
    'secret folder.',
    'open',
    'OPEN',
    'out',
    'cwd',
    '..',
    '.',
  ]
  const files = ['file.txt', 'FILE.TXT', 'file.txt.', 'file.txt::$DATA', 'FILE~1.TXT', 'none']
  const spelled = fc
    .tuple(
      fc.constantFrom(...starts),
      fc.array(fc.constantFrom(...names), { minLength: 1, maxLength: 4 }),
      fc.constantFrom(...files),
      fc.constantFrom('\\', '/'),
    )
    .map(([start, folder, file, by]) => [start, ...folder, file].join(by))
  const count = { secret: 0, open: 0 }
  fc.assert(
    fc.property(spelled, (value) => {
      const text = opened(value)
      if (text === 'SECRET') {
        count.secret += 1
        assert.equal(isDenied(value), true, value)
        assert.equal(isAllowed(value), false, value)
      }
      if (!isAllowed(value)) return
      count.open += 1
      assert.notEqual(text, 'SECRET', value)
    }),
    { numRuns: 1_000 },
  )
  // the names are made at random, so that a few are enough
  assert.ok(count.secret > 5 && count.open > 5, JSON.stringify(count))
  const plain = join(root, 'open', 'file.txt')
  for (const value of [plain, plain.replaceAll('\\', '/'), pathToFileURL(plain).href, '..\\open\\file.txt']) {
    assert.equal(isAllowed(value), !value.startsWith('..'), value)
    assert.equal(isDenied(value), false, value)
  }
})

test('rules about paths: a junction leads where it leads', { skip }, () => {
  using at = folders()
  symlinkSync(join(at.root, 'Secret Folder'), join(at.root, 'open/out'), 'junction')
  for (const file of ['file.txt', 'new.txt']) {
    const value = join(at.root, 'open/out', file)
    assert.deepEqual([at.isDenied(value), at.isAllowed(value)], [true, false], value)
  }
})

function opened(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
