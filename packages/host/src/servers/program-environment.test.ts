import assert from 'node:assert/strict'
import { test } from 'node:test'
import { joinPaths } from './program-environment.ts'

test('joinPaths: each folder once, in order, divided as the system does it', () => {
  assert.equal(joinPaths('/a:/b', '/b::/c', ':'), '/a:/b:/c')
  assert.equal(joinPaths('', 'C:\\bin;D:\\x;C:\\bin', ';'), 'C:\\bin;D:\\x')
})
