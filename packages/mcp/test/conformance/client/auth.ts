/** Authorization of the conformance suite's client in each scenario about it. */
import {
  type AuthOptions,
  type Authorizer,
  clientCredentials,
  enterpriseManaged,
  memorySecrets,
  signIn,
  workloadIdentity,
} from '@trunkline/mcp/auth'

/** Facts that the suite tells about itself in `MCP_CONFORMANCE_CONTEXT`. */
export type Context = Readonly<Record<string, string>>

type Way = (context: Context) => Authorizer

/** Settings of every way, with secrets of its own for each scenario. */
function common(): AuthOptions {
  return { store: memorySecrets() }
}

const ways: { readonly [scenario: string]: Way } = {
  'auth/pre-registration': (context) => signInAs(clientIn(context)),
  'auth/client-credentials-basic': (context) => clientCredentials({ ...common(), ...clientIn(context) }),
  'auth/client-credentials-jwt': ({ client_id, private_key_pem, signing_algorithm }) => {
    const [clientId, privateKey, algorithm] = [String(client_id), String(private_key_pem), String(signing_algorithm)]
    return clientCredentials({ ...common(), clientId, privateKey, algorithm })
  },
  'auth/enterprise-managed-authorization': (context) => {
    const { idp_issuer, idp_client_id, idp_id_token } = context
    const client = { clientId: String(idp_client_id) }
    const identity = () => ({ token: String(idp_id_token) })
    const identityProvider = { issuer: String(idp_issuer), client, identity }
    return enterpriseManaged({ ...common(), ...clientIn(context), identityProvider })
  },
  'auth/wif-jwt-bearer': ({ client_id, valid_jwt }) =>
    workloadIdentity({ ...common(), clientId: String(client_id), assertion: () => String(valid_jwt) }),
}

/** Authorizer of a scenario; undefined in scenarios that are not about authorization. */
export function authorizerFor(scenario: string, context: Context): Authorizer | undefined {
  if (!scenario.startsWith('auth/')) return undefined
  const way = ways[scenario] ?? (() => signInAs())
  return way(context)
}

function signInAs(client?: { readonly clientId: string; readonly clientSecret: string }): Authorizer {
  const clientIdUrl = 'https://conformance-test.local/client-metadata.json'
  // the pages of the suite send the browser back at once
  return signIn({ ...common(), clientIdUrl, ...(client && { client }), open: (url) => fetch(url) })
}

function clientIn({ client_id, client_secret }: Context) {
  return { clientId: String(client_id), clientSecret: String(client_secret) }
}
