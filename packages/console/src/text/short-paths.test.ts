import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shortPaths } from './short-paths.ts'

test('shortPaths: paths below the home folder, and no others', () => {
  const rule = (path: string) => `the rule ask "files:*" at ${path}/.config/trunkline.json:4`
  assert.equal(shortPaths(rule('/home/ann'), '/home/ann'), rule('~'))
  assert.equal(shortPaths(rule('/home/anna'), '/home/ann'), rule('/home/anna'))
  assert.equal(shortPaths('C:\\Users\\ann\\notes', 'C:\\Users\\ann'), '~\\notes')
  assert.equal(shortPaths(rule(''), '/'), rule(''))
})
