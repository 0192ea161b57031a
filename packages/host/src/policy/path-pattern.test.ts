import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, isAbsolute, join } from 'node:path'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { temporaryFolder } from '../../test/temporary-folder.ts'
import { followLinks } from './follow-links.ts'
import { mayBeInside, pathPattern, surelyInside } from './path-pattern.ts'

/** A folder to allow and one to deny, side by side, with links within and between them. */
function folders() {
  const { path, ...folder } = temporaryFolder()
  const root = realpathSync(path)
  for (const name of ['open/a', 'shut/b', 'cwd/open']) mkdirSync(join(root, name), { recursive: true })
  for (const name of ['open/a/file', 'shut/b/file', 'shut/file']) writeFileSync(join(root, name), name)
  symlinkSync('../shut', join(root, 'open/out'))
  symlinkSync('a', join(root, 'open/in'))
  symlinkSync(join(root, 'shut/file'), join(root, 'open/a/file-out'))
  symlinkSync(join(root, 'open'), join(root, 'cwd/link'))
  symlinkSync('loop', join(root, 'open/loop'))
  symlinkSync('/proc/self/cwd', join(root, 'open/process'))
  return { ...folder, root, cwd: join(root, 'cwd') }
}

describe('a path that a rule allows', () => {
  it('lies in the folder with all links followed', () => {
    using at = folders()
    const { root, cwd } = at
    const isAllowed = (value: string) =>
      surelyInside(pathPattern(`${root}/open/**`), value, { own: [cwd], besides: [] })
    for (const path of ['a/file', 'in/file', 'a/new', 'new/deep/file'])
      assert.equal(isAllowed(`${root}/open/${path}`), true)
    assert.equal(isAllowed('link/a/file'), true)
    assert.equal(isAllowed(`file://${root}/open/a/file`), true)
    for (const path of ['out/file', 'out/new', 'a/file-out', 'loop', 'loop/x', 'process', 'process/open/a']) {
      assert.equal(isAllowed(`${root}/open/${path}`), false, path)
    }
    for (const path of ['open/a/file', '/proc/self/root/x', 'link/out/file']) assert.equal(isAllowed(path), false, path)
  })

  it('is looked for where its server runs, and nowhere else', () => {
    using at = folders()
    const { root, cwd } = at
    const pattern = pathPattern(`${cwd}/**`)
    assert.equal(surelyInside(pattern, 'open/x', { own: [cwd], besides: [root] }), true)
    assert.equal(surelyInside(pattern, 'open/x', { own: [root], besides: [cwd] }), false)
    assert.equal(surelyInside(pattern, 'open/x', { own: [cwd, root], besides: [] }), false)
  })

  it('may be named by a folder that is a link itself, and by one relative to its server', () => {
    using at = folders()
    const { root, cwd } = at
    const own = { own: [cwd], besides: [] }
    assert.equal(surelyInside(pathPattern(`${cwd}/link/**`), `${root}/open/a/file`, own), true)
    assert.equal(surelyInside(pathPattern('open/**'), `${cwd}/open/x`, own), true)
    assert.equal(surelyInside(pathPattern('open/**'), 'open/x', own), true)
    assert.equal(surelyInside(pathPattern('open/**'), `${root}/open/x`, own), false)
  })

  it('of a server elsewhere is compared as it is written', () => {
    const elsewhere = { own: [], besides: ['/srv'] }
    assert.equal(surelyInside(pathPattern('/srv/**'), '/srv/a', elsewhere), true)
    assert.equal(surelyInside(pathPattern('/srv/**'), 'a', elsewhere), false)
    assert.equal(surelyInside(pathPattern('acme/*'), 'acme/site', elsewhere), true)
    assert.equal(surelyInside(pathPattern('/srv/**'), '/srv/../a', elsewhere), false)
  })

  for (const name of [
    '~/a',
    '$HOME/a',
    'a*',
    'a?',
    '[a]',
    '{a,b}',
    '`a`',
    'a ',
    'a\nb',
    'a%41',
    'a\\b',
    'a//b',
    './a',
  ]) {
    it(`is not ${JSON.stringify(name)}, which programs read in different ways`, () => {
      const own = { own: ['/nowhere'], besides: [] }
      assert.equal(surelyInside(pathPattern('/nowhere/**'), name, own), false)
      assert.equal(surelyInside(pathPattern('/nowhere/**'), `/nowhere/b/${name}`, own), name.startsWith('~'))
    })
  }

  it('property: nothing outside the folder is allowed, judged by the file system', () => {
    using at = folders()
    const { root, cwd } = at
    const pattern = pathPattern(`${root}/open/**`)
    let allowed = 0
    fc.assert(
      fc.property(spelledPath(root), (value) => {
        if (!surelyInside(pattern, value, { own: [cwd], besides: [root] })) return
        allowed += 1
        assert.ok(realPlace(value, cwd).startsWith(`${root}/open/`), value)
      }),
      { numRuns: 5_000 },
    )
    assert.ok(allowed > 20, `${allowed} paths were allowed`)
  })
})

describe('a path that a rule denies', () => {
  const isDenied = (value: string, { root, cwd }: { root: string; cwd: string }) =>
    mayBeInside(pathPattern(`${root}/shut/**`), value, { own: [cwd], besides: [root] })

  it('is found under every name that leads to it', () => {
    using at = folders()
    const { root } = at
    for (const value of [
      `${root}/shut`,
      `${root}/shut/`,
      `${root}/open/out/b`,
      `${root}/open/a/file-out`,
      `${root}/open/out`,
      '../shut/file',
      'link/out/file',
      'shut/file',
      `file://${root}/shut/file`,
      `FILE://localhost${root}/shut/file?x#y`,
      `file:${root}/%73hut/file`,
      `/proc/self/root${root}/shut/file`,
      '/dev/fd/3',
      `${root}/open/loop`,
      `${root}/SHUT/file`,
      `${root}/sh*t/file`,
      `${root}/{open,shut}/file`,
      '$SOMEWHERE/file',
      '~/file',
      `${root}\\shut\\file`,
      `${root}/shut/file\0.txt`,
      `  ${root}/shut/file`,
    ]) {
      assert.equal(isDenied(value, at), true, value)
    }
    for (const value of [`${root}/open/a/file`, 'open/x', `${root}/shutter`, `${root}/open/[id]/page.tsx`, 'a b c']) {
      assert.equal(isDenied(value, at), false, value)
    }
  })

  it('is found through the name of a link to it, too', () => {
    using at = folders()
    const { root, cwd } = at
    const pattern = pathPattern(`${root}/open/out/**`)
    assert.equal(mayBeInside(pattern, `${root}/shut/file`, { own: [cwd], besides: [] }), true)
  })

  it('of a server elsewhere may be anywhere if it is relative', () => {
    const elsewhere = { own: [], besides: [] }
    assert.equal(mayBeInside(pathPattern('/etc/**'), 'passwd', elsewhere), true)
    assert.equal(mayBeInside(pathPattern('**/.env'), 'notes.txt', elsewhere), false)
    assert.equal(mayBeInside(pathPattern('/etc/**'), '/srv/../etc/passwd', elsewhere), true)
  })

  it('property: nothing denied passes, judged by the file system', () => {
    using at = folders()
    const { root, cwd } = at
    let denied = 0
    fc.assert(
      fc.property(spelledPath(root), (value) => {
        const place = realPlace(value, cwd)
        if (place !== `${root}/shut` && !place.startsWith(`${root}/shut/`)) return
        denied += 1
        assert.equal(isDenied(value, at), true, value)
      }),
      { numRuns: 5_000 },
    )
    assert.ok(denied > 100, `${denied} paths were denied`)
  })
})

it('followLinks: walks a path as the system does', () => {
  using at = folders()
  const { root } = at
  fc.assert(
    fc.property(spelledPath(root), (value) => {
      const path = isAbsolute(value) ? value : join(root, value)
      const found = followLinks(path)
      const real = realpathOrNone(path)
      if (real !== undefined && found !== undefined && !value.includes('process')) assert.equal(found, real)
    }),
    { numRuns: 2_000 },
  )
  assert.equal(followLinks('/../..'), '/')
  assert.equal(followLinks(`${root}/open/out/../open/a`), `${root}/open/a`)
  assert.equal(followLinks('/proc/1/cwd/x'), undefined)
  assert.equal(readFileSync(followLinks(`${root}/open/a/file-out`) ?? '', 'utf8'), 'shut/file')
})

/** Paths below a folder and relative ones, spelled in ways that lead to the same places. */
function spelledPath(root: string): fc.Arbitrary<string> {
  const name = fc.constantFrom(
    'open',
    'shut',
    'a',
    'b',
    'file',
    'in',
    'out',
    'link',
    'cwd',
    'file-out',
    'new',
    '..',
    '.',
    '',
    'loop',
    'process',
  )
  const start = fc.constantFrom(
    `${root}/`,
    `${root}/open/`,
    `${root}/shut/`,
    '',
    './',
    '../',
    '/proc/self/root',
    `file://${root}/`,
    `//${root}/`,
  )
  return fc.tuple(start, fc.array(name, { maxLength: 5 })).map(([from, names]) => from + names.join('/'))
}

/** The place that opening a path in a folder would reach, or make. */
function realPlace(value: string, cwd: string): string {
  const named = value.startsWith('file:') ? fileURLToPath(value) : value
  const path = isAbsolute(named) ? named : `${cwd}/${named}`
  const missing: string[] = []
  for (let folder = path; ; folder = dirname(folder)) {
    const real = realpathOrNone(folder)
    if (real !== undefined) return join(real, ...missing)
    missing.unshift(folder.slice(dirname(folder).length))
  }
}

function realpathOrNone(path: string): string | undefined {
  try {
    return realpathSync.native(path)
  } catch {
    return undefined
  }
}
