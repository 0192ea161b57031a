// region server
import type { ServerHost, ServerPart } from '@trunkline/mcp'
import { receiptsId } from './receipts.ts'

interface Bill {
  cost: number
}

/** The part of the extension on one server: it notes what each call costs, and says what all of them did. */
export function receiptServer(host: ServerHost): ServerPart {
  let total = 0
  return {
    settings: { currency: 'EUR' },
    fields: ['price'],
    tool(name, { price }) {
      if (price === undefined) return undefined
      if (typeof price !== 'number' || price < 0) throw new Error(`Cannot add tool "${name}": "price" is no price`)
      return { keep: price, listed: { _meta: { [`${receiptsId}/price`]: price } } }
    },
    intercept: (next) => async (request) => {
      if (request.method !== 'tools/call') return next(request)
      const cost = (host.tool(request.params.name as string, request.caller)?.keep as number | undefined) ?? 0
      const bill: Bill = { cost }
      const result = await next({ ...request, added: { ...request.added, [receiptsId]: bill } })
      total += bill.cost
      return result
    },
    context: {
      discount:
        ({ added }) =>
        (percent: number) => {
          const bill = added?.[receiptsId] as Bill | undefined
          if (bill) bill.cost *= 1 - percent / 100
        },
    },
    serve: { 'com.example/receipts/total': () => ({ total }) },
  }
}
// endregion
