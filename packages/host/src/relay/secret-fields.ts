import { type Fields, RpcError } from '@trunkline/mcp'
import { asksForSecret } from '../config/secrets/looks-secret.ts'

/**
 * Refuses a form that asks for a secret: text typed into one passes the host, its caller and maybe a model. A server asks
 * for secrets on a page of its own.
 * @see https://modelcontextprotocol.io/specification/draft/client/elicitation#security-considerations
 */
export function refuseSecretFields({ requestedSchema }: Fields): void {
  const { properties } = (requestedSchema ?? {}) as { readonly properties?: Fields }
  if (typeof properties !== 'object' || properties === null) return
  const found = Object.entries(properties).find(([name, schema]) => isSecretField(name, schema))
  if (!found) return
  const text = `Cannot ask for "${found[0]}" in a form: it is the name of a secret; ask for it on a page of your own, with mode "url"`
  throw new RpcError(-32602, text)
}

/** True for a text to type whose name or title is that of a secret. */
function isSecretField(name: string, schema: unknown): boolean {
  const { type = 'string', title, format, enum: values, oneOf } = (schema ?? {}) as Fields
  if (type !== 'string' || values !== undefined || oneOf !== undefined) return false
  return format === 'password' || asksForSecret(name) || (typeof title === 'string' && asksForSecret(title))
}
