import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openerOf } from './browser.ts'

const url = new URL('https://auth.example.com/authorize?a=b&c=$(touch x)')

for (const platform of ['linux', 'darwin', 'win32', 'freebsd'] as const) {
  test(`openerOf: on ${platform} the address is one argument, and the last`, () => {
    const [command, args] = openerOf(platform, url)
    assert.doesNotMatch(command, /sh|cmd|powershell/i)
    assert.equal(args.at(-1), url.href)
    assert.equal(args.filter((argument) => argument.includes('auth.example.com')).length, 1)
  })
}

for (const address of ['javascript:alert(1)', 'file:///etc/passwd', 'data:text/html,x', 'vbscript:x', 'ms-msdt:/id']) {
  test(`openerOf: opens nothing of ${new URL(address).protocol}`, () => {
    assert.throws(() => openerOf('linux', new URL(address)), { problem: 'address' })
  })
}
