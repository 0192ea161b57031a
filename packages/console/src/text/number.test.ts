import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { formatBytes, formatCost, formatNumber } from './number.ts'
import { plural } from './plural.ts'

test('formatNumber: one format for counts, sizes and costs', () => {
  assert.equal(formatNumber(12_345), '12,345')
  assert.equal(plural(1_000, 'call'), '1,000 calls')
  assert.deepEqual([1, 999, 1_500, 2_900_000].map(formatBytes), ['1 byte', '999 bytes', '1.5 KB', '2.9 MB'])
  assert.deepEqual([0.000_123_4, 0.052, 1.234].map(formatCost), ['0.00012', '0.052', '1.23'])
})

test('formatNumber: no file of the console formats one in another way', () => {
  const folder = fileURLToPath(new URL('..', import.meta.url))
  const files = globSync('**/*.{ts,tsx}', { cwd: folder })
  assert.deepEqual(
    files.filter((file) => /toLocaleString\('en'\)/.test(readFileSync(`${folder}/${file}`, 'utf8'))),
    ['text/number.ts'],
  )
})
