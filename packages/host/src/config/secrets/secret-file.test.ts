import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { temporaryFolder } from '../../../test/temporary-folder.ts'
import { secretFile } from './secret-file.ts'

test('secretFile: keeps, lists and forgets, in a file for its owner alone', async () => {
  using folder = temporaryFolder()
  const path = join(folder.path, 'state', 'secrets.json')
  const secrets = secretFile(path)
  assert.equal(await secrets.get('a'), undefined)
  await secrets.set('github.TOKEN', 'one')
  await secrets.set('a', 'two')
  assert.deepEqual(await secrets.names(), ['a', 'github.TOKEN'])
  assert.equal(await secretFile(path).get('github.TOKEN'), 'one')
  assert.equal(statSync(path).mode & 0o777, 0o600)
  await secrets.remove('a')
  assert.deepEqual(await secrets.names(), ['github.TOKEN'])
  assert.deepEqual(readdirSync(join(folder.path, 'state')), ['secrets.json'])
})

for (const mode of [0o644, 0o640, 0o660, 0o620, 0o604, 0o601]) {
  test(`secretFile: a file with the mode ${mode.toString(8)} is closed to group and others`, async () => {
    using folder = temporaryFolder()
    const path = join(folder.path, 'secrets.json')
    writeFileSync(path, '{"a":"b"}')
    chmodSync(path, mode)
    assert.equal(await secretFile(path).get('a'), 'b')
    assert.equal(statSync(path).mode & 0o777, 0o600)
  })
}

test('secretFile: a broken file is named, and never written over', async () => {
  using folder = temporaryFolder()
  const path = join(folder.path, 'secrets.json')
  writeFileSync(path, '{\n "a": "b"\n "c": "d" }')
  const sentence = `Cannot read the secrets: ${path}:3: is not JSON here (comma expected); put a comma between the two values`
  await assert.rejects(secretFile(path).get('a'), { message: sentence })
  await assert.rejects(secretFile(path).set('x', 'y'), { message: sentence })
  assert.match(readFileSync(path, 'utf8'), /"c": "d"/)
})

test('secretFile: names and values within limits', async () => {
  using folder = temporaryFolder()
  const secrets = secretFile(join(folder.path, 'secrets.json'))
  for (const name of ['', 'a b', '../x', '__proto__', 'x'.repeat(129)]) {
    await assert.rejects(secrets.set(name, 'v'), /its name may hold letters, digits/)
  }
  await assert.rejects(secrets.set('a', ''), /it is empty/)
  await assert.rejects(secrets.set('a', 'x'.repeat(65_537)), /longer than 65536/)
})

test('secretFile: no secret is lost when processes write at once', async () => {
  using folder = temporaryFolder()
  const path = join(folder.path, 'secrets.json')
  const program = `
    const { secretFile } = await import(${JSON.stringify(new URL('secret-file.ts', import.meta.url))})
    const secrets = secretFile(${JSON.stringify(path)})
    for (let at = 0; at < 10; at++) await secrets.set(process.argv[1] + at, 'v')`
  const children = ['a', 'b', 'c'].map((name) =>
    spawn(process.execPath, ['--input-type=module', '-e', program, name], { stdio: ['ignore', 'ignore', 'inherit'] }),
  )
  const codes = await Promise.all(children.map((child) => once(child, 'exit')))
  assert.deepEqual(
    codes.map(([code]) => code),
    [0, 0, 0],
  )
  assert.equal((await secretFile(path).names()).length, 30)
})
