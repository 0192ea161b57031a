import { readFileSync } from 'node:fs'
import { type Client, connect } from '@trunkline/mcp'
import { signIn } from '@trunkline/mcp/auth'

/** Connects through the proxy of a company with a certificate authority of its own. */
export async function fromTheOffice(url: URL, password: string): Promise<Client> {
  // region network
  const network = {
    proxy: `http://ada:${encodeURIComponent(password)}@proxy.example:3128`,
    noProxy: '.corp.example, 10.0.0.0/8',
    ca: readFileSync('corp.pem', 'utf8'),
  }
  return connect(url, { http: { network }, auth: signIn({ network }) })
  // endregion
}
