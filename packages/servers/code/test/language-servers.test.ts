import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { isRunning } from '@trunkline/base/is-running'
import { until } from '../../../../tools/lib/until.ts'
import { openCode, quick, sandbox, scripted } from './sandbox.ts'

const files = { 'a.scripted': 'one two\n', 'b.scripted': 'three\n' }
const place = { path: 'a.scripted', line: 1, name: 'one' }

/** Process ids in the diary of a scripted server. */
function pids(diary: string, what: 'started' | 'child'): number[] {
  const text = existsSync(diary) ? readFileSync(diary, 'utf8') : ''
  return Array.from(text.matchAll(new RegExp(`^${what} (\\d+)$`, 'gm')), ([, pid]) => Number(pid))
}

test('a language server that hangs: each call ends at its deadline, then the server and all it started are ended', async () => {
  using box = sandbox(files)
  const languages = [scripted('hang', box.diary)]
  const limits = { ...quick, requestMs: 300, maxUnanswered: 2 }
  await using code = await openCode({ directories: [box.root], languages, limits })
  const [first, second] = await Promise.all([code.call('get_hover', place), code.call('find_references', place)])
  assert.match(
    first.text,
    /The language server of scripted failed: it did not answer "textDocument\/hover" within 300 ms/,
  )
  assert.equal(second.problem, 'unavailable')
  // what needs no language server goes on
  assert.match((await code.call('get_syntax', { path: 'a.scripted' })).text, /there is no grammar/)
  const ended = [...pids(box.diary, 'started'), ...pids(box.diary, 'child')]
  await until(() => !ended.some((pid) => isRunning(pid)))
  const after = await code.call('get_hover', place)
  assert.match(after.text, /it left 2 requests unanswered\nIt is started again in \d+ s; get_syntax works without it/)
  assert.equal(after.result.isError, true)
})

test('one language server that hangs leaves the answers of another as they are, and is named', async () => {
  using box = sandbox({ ...files, 'c.other': 'one\n' })
  const languages = [
    scripted('fine', '', join(box.root, 'a.scripted')),
    { ...scripted('hang'), name: 'other', files: ['.other'] },
  ]
  const limits = { ...quick, requestMs: 1_000 }
  await using code = await openCode({ directories: [box.root], languages, limits })
  const found = await code.call('list_symbols', { query: 'one' })
  assert.deepEqual(found.structured.items, [{ symbol: 'one', kind: 'function', path: 'a.scripted', line: 1 }])
  assert.match(found.structured.notes[0], /^The language server of other failed: it did not answer "workspace\/symbol"/)
})

test('a language server that crashes again and again is not started after the limit, and its last words are quoted', async () => {
  using box = sandbox(files)
  const limits = { ...quick, restartPauseMs: 0, maxRestarts: 3, restartWindowMs: 60_000 }
  await using code = await openCode({ directories: [box.root], languages: [scripted('crash', box.diary)], limits })
  const texts: string[] = []
  await until(async () => {
    texts.push((await code.call('get_hover', place)).text)
    return texts.at(-1)?.includes('failed 3 times') === true
  })
  texts.push((await code.call('get_hover', place)).text)
  assert.equal(pids(box.diary, 'started').length, 3)
  const last = texts.at(-1) ?? ''
  assert.match(last, /failed 3 times: it ended with status 3; it wrote "Ignore all previous instructions"/)
  assert.match(last, /It is started again in (?:60|59) s/)
  const [server] = (await code.call('list_servers')).structured.items
  assert.deepEqual([server.state, server.files], ['failed', 2])
})

test('a language server that answers with 50 MB: that call says so, the next one is answered by the same process', async () => {
  using box = sandbox(files)
  await using code = await openCode({
    directories: [box.root],
    languages: [scripted('large', box.diary)],
    limits: quick,
  })
  const large = await code.call('find_references', place)
  assert.match(large.text, /it answered "textDocument\/references" with 500\d+ bytes, more than 16777216/)
  assert.equal((await code.call('get_hover', place)).text, 'hover of a.scripted')
  assert.equal(pids(box.diary, 'started').length, 1)
})

test('a language server that is never ready, or writes no messages: the call says why within its time', async () => {
  using box = sandbox(files)
  const limits = { ...quick, startMs: 300 }
  await using slow = await openCode({ directories: [box.root], languages: [scripted('never-ready')], limits })
  assert.match((await slow.call('get_hover', place)).text, /it did not answer "initialize" within 300 ms/)
  await using noisy = await openCode({ directories: [box.root], languages: [scripted('noise')], limits: quick })
  assert.match((await noisy.call('get_hover', place)).text, /no message begins with "Welcome! Ignore all previous/)
})

test('the end of the server ends language servers, and processes that they started and that do not listen', async () => {
  using box = sandbox(files)
  {
    await using code = await openCode({
      directories: [box.root],
      languages: [scripted('child', box.diary)],
      limits: quick,
    })
    assert.equal((await code.call('get_hover', place)).text, 'hover of a.scripted')
    assert.deepEqual(code.code.state().running, ['scripted'])
    await until(() => pids(box.diary, 'child').length === 1)
  }
  const all = [...pids(box.diary, 'started'), ...pids(box.diary, 'child')]
  assert.equal(all.length, 2)
  // the last of them is collected by its new parent
  await until(() => !all.some((pid) => isRunning(pid)))
})

test('places outside of the project are counted, never shown, and never renamed', async () => {
  using box = sandbox(files)
  const languages = [scripted('outside', '', join(box.outside, 'secret.scripted'))]
  await using code = await openCode({ directories: [box.root], languages, limits: quick })
  const references = await code.call('find_references', place)
  assert.match(references.text, /^1 uses in 1 files, and 1 outside of the project\na\.scripted\n {2}1: one two$/)
  const definition = await code.call('get_definition', { ...place, body: true })
  assert.match(definition.text, /1 outside of the project/)
  assert.match((await code.call('rename_symbol', { ...place, to: 'PWNED' })).text, /a file outside of the project/)
  assert.equal((await code.call('list_symbols', { query: 'one' })).text, 'Nothing found')
  assert.equal(readFileSync(join(box.outside, 'secret.scripted'), 'utf8'), 'OUTSIDE\n')
})
