import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { test } from 'node:test'
import { readFiles, root } from '../lib/files.ts'
import { beyondWine, notRun, whyNotRun, windowsTests } from './test-files.ts'

const all = globSync('{bench,examples,packages,tools}/**/*.test.ts', {
  cwd: root,
  exclude: ['**/node_modules/**', '**/dist/**', '**/.cache/**'],
})

test('windowsTests: every test file runs under Wine, or has a reason why not', () => {
  const run = windowsTests().flat()
  assert.equal(new Set(run).size, run.length)
  assert.deepEqual(
    all.filter((file) => !run.includes(file) && whyNotRun(file) === undefined),
    [],
  )
})

test('notRun: every folder with a reason is there', () => {
  const folders = Object.keys(notRun).filter((folder) => globSync(folder, { cwd: root }).length === 0)
  assert.deepEqual(folders, [])
})

test('beyondWine: names tests that are there', () => {
  const texts = readFiles(...windowsTests().flat()).map(({ text }) => text)
  for (const name of Object.keys(beyondWine))
    assert.ok(
      texts.some((text) => text.includes(`'${name}'`)),
      name,
    )
})
