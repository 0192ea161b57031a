import assert from 'node:assert/strict'
// region use
import { connect, server } from '@trunkline/mcp'
import { receipts, receiptsId } from './receipts.ts'

const cafe = server({ name: 'cafe', version: '1.0.0', extensions: [receipts()] })
  .tool('espresso', { price: 2 }, () => 'One espresso')
  .tool('lunch', { price: 12 }, (_, ctx) => {
    ctx.discount(50)
    return 'The soup of yesterday'
  })
  .tool('water', {}, () => 'A glass of water')

await using guest = await connect(cafe, { extensions: [receipts()] })
for (const order of ['espresso', 'lunch', 'water'] as const) await guest.tools.call(order, {})
console.log(`You owe ${await guest.receipts.total()}`, guest.capabilities.extensions?.[receiptsId])
// endregion
assert.equal(await guest.receipts.total(), 8)

// a client without the extension is served all the same, and has no such method
await using stranger = await connect(cafe)
await stranger.tools.call('water', {})
await assert.rejects(stranger.request('com.example/receipts/total', {}), { code: 'Unsupported' })

// and a server that did not switch it on refuses what belongs to it
const plain = server({ name: 'plain', version: '1.0.0' })
// @ts-expect-error "price" is a member of the extension
assert.throws(() => plain.tool('espresso', { price: 2 }, () => 'One espresso'), /unknown member "price"/)
console.log('Those who do not know the extension are left alone')
