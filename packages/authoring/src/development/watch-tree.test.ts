import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
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
    using watch = new TreeWatch([folder], () => {}, { maxFolders: 10 })
    assert.equal(watch.size, 10)
  } finally {
    rmSync(folder, { recursive: true })
  }
})

/** Events as the systems tell of them, of one folder or file each; the path is below the watched folder. */
type Events = readonly (readonly [watched: string, name: string | null])[]

/** A change of files, and the events of it: first as Linux tells them, then as FSEvents of macOS may. */
const changes: readonly { readonly name: string; make(folder: string): void; readonly told: readonly Events[] }[] = [
  {
    name: 'a file that is written in one go, told twice, late, or as a change of its folder',
    make: (folder) => writeFileSync(join(folder, 'src/file'), 'y'),
    told: [
      [['src', 'file']],
      [
        ['src', 'file'],
        ['src', 'file'],
      ],
      [['src', null]],
      [['src', 'src']],
      [['', 'src']],
    ],
  },
  {
    name: 'a file that takes the place of another one by its name',
    make(folder) {
      writeFileSync(join(folder, 'src/file.new'), 'z')
      renameSync(join(folder, 'src/file.new'), join(folder, 'src/file'))
    },
    told: [
      [
        ['src', 'file.new'],
        ['src', 'file'],
      ],
      [
        ['src', 'file'],
        ['src', 'file.new'],
      ],
      [['src', null]],
    ],
  },
  {
    name: 'a folder with one in it, told at once, or joined into a change of the folder above',
    make: (folder) => mkdirSync(join(folder, 'src/new/deep'), { recursive: true }),
    told: [[['src', 'new']], [['src', null]], [['', 'src']], [['', null]]],
  },
  {
    name: 'a folder that is removed and made again, told as two changes or one',
    make(folder) {
      rmSync(join(folder, 'src'), { recursive: true })
      mkdirSync(join(folder, 'src/new/deep'), { recursive: true })
    },
    told: [
      [
        ['src', null],
        ['', 'src'],
        ['', 'src'],
      ],
      [['', 'src']],
      [['', null]],
    ],
  },
]

for (const { name, make, told } of changes) {
  test(`TreeWatch: tells once, and watches what is there now: ${name}`, ({ mock }) => {
    mock.timers.enable({ apis: ['setTimeout'] })
    const results = told.map((events) => watchedThrough(make, events, () => mock.timers.tick(1_000)))
    for (const result of results) assert.deepEqual(result, results[0])
    assert.equal(results[0]?.calls, 1)
  })
}

/** Makes a change, and tells what a watch that hears of it by these events does. */
function watchedThrough(make: (folder: string) => void, events: Events, settle: () => void) {
  const folder = mkdtempSync(join(tmpdir(), 'watch-'))
  try {
    mkdirSync(join(folder, 'src'))
    writeFileSync(join(folder, 'src/file'), 'x')
    const open = new Map<string, (kind: string, name: string | null) => void>()
    let calls = 0
    const count = () => {
      calls += 1
    }
    using _watch = new TreeWatch([folder], count, {
      open(path, listener) {
        open.set(path, listener)
        const close = () => void (open.get(path) === listener && open.delete(path))
        return { on: () => {}, close }
      },
    })
    const before = new Map(open)
    make(folder)
    // the source of a folder that is gone may still tell of it
    for (const [watched, entry] of events) before.get(join(folder, watched))?.('rename', entry)
    settle()
    const paths = [...open.keys()].sort()
    const isAnew = open.get(join(folder, 'src')) !== before.get(join(folder, 'src'))
    return { calls, isAnew, watched: paths.map((path) => path.slice(folder.length)) }
  } finally {
    rmSync(folder, { recursive: true })
  }
}
