/** A way to authorization servers that ends in a test. */
import { type Network, type NetworkLimits, networkLimits } from '../../src/auth/shared/network.ts'
import type { Outbound } from '../../src/auth/shared/platform.ts'

export interface Carried extends Network {
  /** Requests sent, in order. */
  readonly sent: Outbound[]
}

export type CarriedAnswer = (outbound: Outbound) => Response | Promise<Response>

/** A network that answers as told, for a client of the server at `https://mcp.example.com/mcp`. */
export function carried(answer: CarriedAnswer, limits: Partial<NetworkLimits> = {}): Carried {
  const sent: Outbound[] = []
  const carry = async (outbound: Outbound): Promise<Response> => {
    sent.push(outbound)
    return answer(outbound)
  }
  const policy = { server: new URL('https://mcp.example.com/mcp'), trusted: new Set<string>() }
  return { sent, fetch: carry, policy, limits: { ...networkLimits, ...limits } }
}

/** Answers by path, and with 404 to every other. */
export function paths(answers: { readonly [path: string]: unknown }): CarriedAnswer {
  return ({ url }) => {
    const answer = answers[url.pathname]
    return answer === undefined ? new Response('Not found', { status: 404 }) : Response.json(answer)
  }
}
