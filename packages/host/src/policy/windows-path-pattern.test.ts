import assert from 'node:assert/strict'
import { win32 } from 'node:path'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import type { PathFolders } from './path-pattern.ts'
import { valuePattern } from './value-pattern.ts'
import { mayBeInsideWindows, surelyInsideWindows, windowsPathPattern } from './windows-path-pattern.ts'
import { isWindowsPath } from './windows-paths.ts'

/** A disk as Windows shows it: names in any case and in short, junctions, and a drive that stands for a folder. */
class Disk {
  readonly #folders = new Set(['C:', 'C:\\root', 'C:\\root\\open', 'C:\\root\\open\\a', 'C:\\root\\cwd'])
  readonly #files = new Set<string>()
  readonly #links = new Map<string, string>()

  constructor({ hasLinks }: { readonly hasLinks: boolean }) {
    for (const name of ['C:\\root\\Secret Folder', 'C:\\root\\Secret Folder\\b']) this.#folders.add(name)
    for (const name of ['C:\\root\\open\\a\\file', 'C:\\root\\Secret Folder\\file']) this.#files.add(name)
    if (!hasLinks) return
    this.#links.set('C:\\root\\open\\out', 'C:\\root\\Secret Folder')
    this.#links.set('C:\\root\\open\\in', 'C:\\root\\open\\a')
    this.#links.set('X:', 'C:\\root\\Secret Folder')
  }

  /** The path that a path leads to; undefined if nothing is there. */
  realPath(path: string): string | undefined {
    const { place, isThere } = this.#walk(path)
    if (!isThere) return undefined
    return place.endsWith(':') ? `${place}\\` : place
  }

  /** The place that a program in a folder opens, or makes. */
  opened(value: string, cwd: string): string {
    const named = value.startsWith('file://') ? fileURLToPath(value, { windows: true }) : value
    const path = named
      .replaceAll('/', '\\')
      .replace('%SystemDrive%', 'C:')
      .replace(/^\\\\[?.]\\/, '')
      .replace(/^\\\\localhost\\C\$/i, 'C:')
    return this.#walk(win32.resolve(cwd, path)).place
  }

  #walk(path: string): { readonly place: string; readonly isThere: boolean } {
    let place = ''
    let isThere = true
    for (const [at, given] of path.split('\\').entries()) {
      const name = at === 0 ? given : given.replace(/:.*$/, '').replace(/[. ]+$/, '')
      if (name === '') continue
      const known = [...this.#folders, ...this.#files, ...this.#links.keys()].find((one) => isNamed(one, place, name))
      if (known === undefined) isThere = false
      const next = known ?? (place === '' ? name : `${place}\\${name}`)
      place = this.#links.get(next) ?? next
    }
    return { place, isThere }
  }
}

function isNamed(path: string, folder: string, name: string): boolean {
  const [own, parent] = [win32.basename(path) || path, path.includes('\\') ? win32.dirname(path) : '']
  if (parent.replace(/\\$/, '') !== folder) return false
  return own.toLowerCase() === name.toLowerCase() || (own === 'Secret Folder' && /^secret~1$/i.test(name))
}

const here: PathFolders = { own: ['C:\\root\\cwd'], besides: [] }
const elsewhere: PathFolders = { own: [], besides: [] }
const open = windowsPathPattern('C:/root/open/**')
const secret = windowsPathPattern('c:\\ROOT\\Secret Folder\\**')
const linked = new Disk({ hasLinks: true })

const starts = [
  ...['C:\\root\\', 'c:/ROOT/', 'C:\\root\\open\\', '\\\\?\\C:\\root\\', '//./c:/root/', '\\\\localhost\\C$\\root\\'],
  ...['\\root\\', '', '.\\', '..\\', '../', 'C:', 'c:..\\', '%SystemDrive%\\root\\', 'file:///C:/root/'],
  ...['file://localhost/c:/root/', 'X:\\', 'C:\\\\root\\\\'],
]
const names = [
  ...['open', 'OPEN', 'Secret Folder', 'SECRET~1', 'secret folder.', 'Secret Folder . ', 'SECRET FOLDER', 'root'],
  ...['a', 'b', 'file', 'file::$DATA', 'FILE:alt', 'out', 'in', '..', '.', '', 'new', 'NUL', 'cwd'],
]

/** Paths spelled in ways that lead to the same places. */
const spelled = fc
  .tuple(
    fc.constantFrom(...starts),
    fc.array(fc.tuple(fc.constantFrom(...names), fc.constantFrom('\\', '/')), { maxLength: 5 }),
  )
  .map(([start, parts]) => start + parts.map(([name, by], at) => (at === 0 ? name : by + name)).join(''))

const isIn = (folder: string, place: string) => `${place}\\`.toLowerCase().startsWith(`${folder}\\`.toLowerCase())

describe('a path of Windows that a rule allows', () => {
  const isAllowed = (value: string, folders = here) => surelyInsideWindows(open, value, folders, linked)

  it('lies in the folder, whatever its slashes and the case of its drive are', () => {
    for (const value of ['C:\\root\\open\\a\\file', 'c:/root/open/new', 'C:\\ROOT\\Open\\a', 'file:///C:/root/open/a'])
      assert.equal(isAllowed(value), true, value)
    assert.equal(surelyInsideWindows(windowsPathPattern('C:/root/cwd/**'), 'sub\\new.txt', here, linked), true)
    assert.equal(surelyInsideWindows(windowsPathPattern('sub/**'), 'C:\\root\\cwd\\sub\\x', here, linked), true)
  })

  it('has no device, stream, short name, dots, variable, namespace, or folder of a drive in it', () => {
    const refused = [
      ...['C:\\root\\open\\..\\x', 'C:\\root\\open\\a:b', 'C:\\root\\open\\NUL', 'C:\\root\\open\\x.'],
      ...[
        'C:\\root\\open\\LONGNA~1',
        '\\\\?\\C:\\root\\open\\a',
        'C:open\\a',
        '\\root\\open\\a',
        'C:\\root\\open\\%X%',
      ],
      ...[
        'C:\\root\\open\\out\\file',
        'C:\\root\\open\\\\a',
        '\\\\localhost\\C$\\root\\open\\a',
        'X:\\file',
        'open\\a',
      ],
    ]
    for (const value of refused)
      for (const folders of [here, elsewhere])
        if (folders === here || value.indexOf('out') < 0) assert.equal(isAllowed(value, folders), false, value)
  })

  it('of a server elsewhere is compared as it is written, on every system that the host runs on', () => {
    const pattern = valuePattern('C:\\srv\\**', 'linux')
    assert.equal(pattern.kind, 'windows-path')
    assert.equal(surelyInsideWindows(windowsPathPattern('C:\\srv\\**'), 'c:/srv/a', elsewhere), true)
    assert.equal(surelyInsideWindows(windowsPathPattern('\\\\nas\\docs\\**'), '\\\\NAS\\docs\\a', elsewhere), true)
    assert.equal(surelyInsideWindows(windowsPathPattern('\\\\nas\\docs\\**'), '\\\\nas\\docs2\\a', elsewhere), false)
    // a host on Windows has servers on other systems too
    assert.equal(surelyInsideWindows(windowsPathPattern('/srv/**'), '/srv/a', elsewhere), true)
    assert.equal(surelyInsideWindows(windowsPathPattern('acme/*'), 'acme/site', elsewhere), true)
  })

  it('property: nothing outside the folder is allowed, judged by the disk', () => {
    let allowed = 0
    fc.assert(
      fc.property(spelled, (value) => {
        if (!isAllowed(value)) return
        allowed += 1
        assert.ok(isIn('C:\\root\\open', linked.opened(value, 'C:\\root\\cwd')), value)
      }),
      { numRuns: 5_000 },
    )
    assert.ok(allowed > 20, `${allowed} paths were allowed`)
  })
})

describe('a path of Windows that a rule denies', () => {
  it('is found under every name that leads to it', () => {
    for (const value of [
      ...[
        'C:\\root\\Secret Folder',
        'c:/root/secret folder/x',
        'C:\\root\\SECRET~1\\file',
        'C:\\root\\open\\out\\file',
      ],
      ...[
        'C:\\root\\Secret Folder.\\file',
        'C:\\root\\Secret Folder\\file::$DATA',
        '\\\\?\\C:\\root\\Secret Folder\\x',
      ],
      ...[
        '\\\\.\\c:\\root\\secret folder\\x',
        '\\??\\C:\\root\\Secret Folder\\x',
        '..\\Secret Folder\\file',
        'X:\\file',
      ],
      ...['\\\\127.0.0.1\\c$\\root\\Secret Folder\\x', '\\\\LOCALHOST\\share\\x', '\\root\\Secret Folder\\x'],
      ...['file:///C:/root/Secret%20Folder/x', 'file:///C|/root/Secret%20Folder/x', 'C:..\\Secret Folder\\x'],
      ...['%USERPROFILE%\\x', '$env:HOME\\x', 'C:\\root\\Secret*\\x', '\\\\?\\Volume{1}\\x', '\\\\.\\PhysicalDrive0'],
      ...[
        '\\\\?\\UNC\\localhost\\c$\\root\\Secret Folder\\x',
        'C:\\root\\open\\...\\x',
        'C:\\root\\x\\..\\Secret Folder',
      ],
    ])
      assert.equal(mayBeInsideWindows(secret, value, here, linked), true, value)
    for (const value of [
      ...['C:\\root\\open\\a\\file', 'D:\\root\\Secret Folder\\x', 'C:\\root\\Secret Folders', 'a b c', 'sub/x'],
      ...['\\\\nas\\docs\\x', 'C:\\root\\open\\report~1.txt', '\\root\\open\\x', 'https://example.com/a'],
    ])
      assert.equal(mayBeInsideWindows(secret, value, here, linked), false, value)
  })

  it('of a share is found by its other spellings', () => {
    const share = windowsPathPattern('\\\\nas\\docs\\private\\**')
    for (const value of ['//NAS/Docs/private/x', '\\\\?\\UNC\\nas\\docs\\private\\x', 'file://nas/docs/private/x'])
      assert.equal(mayBeInsideWindows(share, value, here, linked), true, value)
    assert.equal(mayBeInsideWindows(share, '\\\\nas\\docs\\public\\x', here, linked), false)
  })

  it('is the home, a folder of the server, and any drive where the pattern names none', () => {
    const home = windowsPathPattern('~/.ssh/**', 'C:\\Users\\Ann')
    assert.equal(mayBeInsideWindows(home, 'c:\\users\\ann\\.SSH\\id', here, linked), true)
    assert.equal(mayBeInsideWindows(windowsPathPattern('private/**'), 'C:\\root\\cwd\\PRIVATE\\x', here, linked), true)
    assert.equal(mayBeInsideWindows(windowsPathPattern('/etc/**'), 'D:\\etc\\x', here, linked), true)
    assert.equal(mayBeInsideWindows(windowsPathPattern('**/.env'), 'D:\\x\\.env::$DATA', elsewhere), true)
    assert.equal(mayBeInsideWindows(windowsPathPattern('/etc/**'), '/srv/../etc/passwd', elsewhere), true)
  })

  for (const [where, disk, folders] of [
    ['on this machine', linked, here],
    ['elsewhere', new Disk({ hasLinks: false }), elsewhere],
  ] as const)
    it(`property: nothing denied passes to a server ${where}, judged by the disk`, () => {
      let denied = 0
      const files = folders === here ? disk : undefined
      fc.assert(
        fc.property(spelled, (value) => {
          if (!isIn('C:\\root\\Secret Folder', disk.opened(value, 'C:\\root\\cwd'))) return
          denied += 1
          assert.equal(mayBeInsideWindows(secret, value, folders, files), true, value)
        }),
        { numRuns: 5_000 },
      )
      assert.ok(denied > 100, `${denied} paths were denied`)
    })
})

it('valuePattern: paths of Windows are known by their drive or share everywhere, others on Windows alone', () => {
  for (const text of ['C:/x/**', 'c:\\x', '\\\\nas\\docs\\**', 'file:///C:/x/**', 'C://x'])
    for (const platform of ['linux', 'win32']) assert.equal(valuePattern(text, platform).kind, 'windows-path', text)
  for (const text of ['/x/**', 'src/*', 'src\\*']) assert.equal(valuePattern(text, 'win32').kind, 'windows-path', text)
  assert.equal(valuePattern('/x/**', 'linux').kind, 'path')
  for (const text of ['**', 'mailto:x', 'word']) assert.equal(valuePattern(text, 'win32').kind, 'text', text)
  assert.equal(valuePattern('https://x/*', 'win32').kind, 'address')
  assert.equal(isWindowsPath('Cc:/x'), false)
})
