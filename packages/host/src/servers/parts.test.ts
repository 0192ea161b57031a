import assert from 'node:assert/strict'
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { temporaryFolder } from '../../test/temporary-folder.ts'
import { commandHash, showLaunch } from './launch.ts'
import { loginPath } from './program-environment.ts'
import { Refusals } from './sandbox/refusals.ts'
import { TriedPrograms } from './sandbox/tried-programs.ts'
import { maxStateChanges, StateHistory } from './state-history.ts'
import { StderrRing } from './stderr-ring.ts'
import { UnusableAnswers } from './unusable-answers.ts'

describe('StderrRing', () => {
  it('keeps the last lines, however they arrive', () => {
    const ring = new StderrRing({ maxLines: 3 })
    for (const piece of ['a\nb', 'b\r\nc\n', 'd']) ring.add(piece)
    assert.deepEqual(
      ring.lines.map(({ text }) => text),
      ['a', 'bb', 'c', 'd'],
    )
    ring.add('\ne\n')
    assert.deepEqual(
      ring.lines.map(({ text }) => text),
      ['c', 'd', 'e'],
    )
    assert.equal(ring.last, 'e')
  })

  it('a line without an end does not grow for ever', () => {
    const ring = new StderrRing({ maxLineLength: 10 })
    for (let count = 0; count < 1_000; count++) ring.add('x'.repeat(100))
    assert.equal(ring.last?.length, 10)
  })
})

describe('UnusableAnswers', () => {
  it('names the parts left out, each once and no more than the limit, until the next start', () => {
    const leftOut = new UnusableAnswers()
    assert.equal(leftOut.says, undefined)
    for (let at = 0; at < 200; at++) leftOut.note(`Left out tools[${at}]: ${'x'.repeat(10_000)}`)
    for (const same of ['Left out tools[0]: ', 'Ignored an answer']) leftOut.note(same + 'x'.repeat(10_000))
    assert.equal(leftOut.size, 100)
    assert.match(leftOut.says ?? '', /^Left out tools\[0\]: x+; and 199 more, see its status$/)
    assert.ok((leftOut.says ?? '').length < 600)
    assert.match(leftOut.all.at(-1) ?? '', /^Left out tools\[99\]: x+$/)
    leftOut.clear()
    assert.equal(leftOut.says, undefined)
  })
})

describe('StateHistory', () => {
  it('keeps the last changes, over all servers', () => {
    const history = new StateHistory()
    for (let since = 1; since <= 5_000; since += 1) history.add({ name: 'one', state: 'ready', why: 'ready', since })
    assert.deepEqual([history.since(0).length, history.since(0)[0]?.at], [maxStateChanges, 4_001])
    assert.ok(history.size <= maxStateChanges * 1.1, String(history.size))
  })
})

describe('Refusals', () => {
  it('keeps the last twenty that differ', () => {
    const refusals = new Refusals()
    for (let at = 0; at < 100; at += 1) refusals.note(`EROFS: read-only file system, open '/file-${at}'`)
    assert.equal(refusals.count, 100)
    assert.equal(refusals.since(0).length, 20)
    assert.equal(refusals.last, 'open "/file-99"')
  })
})

describe('TriedPrograms', () => {
  it('tries each program once; the oldest is forgotten, and tried again', async () => {
    const tried: string[] = []
    const programs = new TriedPrograms(async (path) => tried.push(path), 2)
    for (const path of ['a', 'a', 'b', 'c', 'c', 'a']) await programs.of(path)
    assert.deepEqual(tried, ['a', 'b', 'c', 'a'])
  })
})

describe('loginPath', () => {
  it('is that of the login shell, whatever its profile prints, followed by that of the host', async () => {
    using folder = temporaryFolder()
    const shell = join(folder.path, 'shell')
    writeFileSync(shell, '#!/bin/sh\necho welcome\n[ "$1" = -l ] && PATH=/own/bin:/usr/bin\nexec /bin/sh -c "$3"\n')
    chmodSync(shell, 0o755)
    const environment = { SHELL: shell, PATH: '/usr/bin:/short' }
    const machine = { platform: 'linux', home: '/', environment } as const
    assert.equal(await loginPath(machine), '/own/bin:/usr/bin:/short')
    // one that fails, or is not there, changes nothing
    assert.equal(await loginPath({ ...machine, environment: { ...environment, SHELL: '/nowhere' } }), '/usr/bin:/short')
  })
})

describe('commandHash', () => {
  const launch = { kind: 'program', command: 'node', args: ['a b'], cwd: '/', env: { TOKEN: 'secret' } } as const

  it('changes with command, arguments, directory and names of variables, not with their values', () => {
    assert.equal(commandHash({ ...launch, env: { TOKEN: 'other' } }), commandHash(launch))
    for (const other of [{ command: 'deno' }, { args: ['a', 'b'] }, { cwd: '/tmp' }, { env: { OTHER: '' } }]) {
      assert.notEqual(commandHash({ ...launch, ...other }), commandHash(launch))
    }
  })

  it('changes with the address and the names of headers, not with their values', () => {
    const remote = { kind: 'remote', url: 'https://a.example/mcp', headers: { A: '1', B: '2' } } as const
    for (const same of [{ headers: { A: '3', B: '2' } }, { headers: { B: '2', A: '1' } }])
      assert.equal(commandHash({ ...remote, ...same }), commandHash(remote))
    for (const other of [{ url: 'https://b.example/mcp' }, { headers: { A: '1' } }])
      assert.notEqual(commandHash({ ...remote, ...other }), commandHash(remote))
  })

  it('showLaunch: shows every word as one word', () => {
    assert.equal(showLaunch(launch), 'node "a b"')
  })
})
