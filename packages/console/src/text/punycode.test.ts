import assert from 'node:assert/strict'
import { it } from 'node:test'
import { readAddress } from './address.ts'
import { decodeHost } from './punycode.ts'

for (const host of ['bücher.example', 'pаypal.example', '例え.テスト', 'müller-straße.example', 'plain.example']) {
  it(`decodeHost: gives back the letters of ${host}`, () => {
    assert.equal(decodeHost(new URL(`https://${host}`).host), host)
  })
}

it('decodeHost: leaves what it cannot read', () => {
  assert.equal(decodeHost('xn--!.example'), 'xn--!.example')
  assert.equal(decodeHost('xn--99999999.example'), 'xn--99999999.example')
})

it('readAddress: shows the real host, marks foreign letters, and reads only what a browser may be sent to', () => {
  const address = readAddress('https://paypal.com@pаypal.example/contract')
  assert.equal(address?.host, 'xn--pypal-4ve.example')
  assert.deepEqual(
    address?.letters.filter(({ isForeign }) => isForeign).map(({ text }) => text),
    ['а'],
  )
  assert.equal(readAddress('javascript:alert(1)'), undefined)
  assert.equal(readAddress('http://example.com')?.isSecure, false)
})
