/** An internet that exists in a test only, and shows each host that should not be asked. */
export interface Internet {
  /** Every address that was asked, in order. */
  readonly asked: string[]
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>
}

export type Site = (url: URL, init: RequestInit) => Response

/** The sites there are, by origin; every other answers with credentials, as what should not be asked would. */
export function internet(sites: { readonly [origin: string]: Site }): Internet {
  const asked: string[] = []
  return {
    asked,
    async fetch(address, init) {
      const url = new URL(address)
      asked.push(url.href)
      return sites[url.origin]?.(url, init) ?? Response.json({ credentials: 'of the cloud' })
    },
  }
}

/** The server of the user, which names the issuers it is given. */
export function resource(origin: string, ...issuers: readonly string[]): Site {
  return () => Response.json({ resource: `${origin}/mcp`, authorization_servers: issuers })
}

/** A refusal of that server. */
export function refusal(origin: string, challenge = 'Bearer', attempt = 0) {
  const header = (name: string): string | null => (name === 'www-authenticate' ? challenge : null)
  return { status: 401, url: `${origin}/mcp`, sent: {}, attempt, header }
}
