import type { SecretStore } from '../../stores/secret-store.ts'
import { AuthError } from '../shared/auth-error.ts'
import type { RegisteredClient } from './client-authentication.ts'
import type { Tokens } from './tokens.ts'

/** The stored credentials of one account at one server; tokens and clients belong to the issuer that issued them. */
export class CredentialRecords {
  readonly #store: SecretStore
  readonly #server: string
  readonly #account: string

  constructor(store: SecretStore, server: string, account: string) {
    this.#store = store
    this.#server = server
    this.#account = account
  }

  /** The issuer that was used last. */
  issuer(): Promise<string | undefined> {
    return this.#read(this.#issuerName)
  }

  keepIssuer(issuer: string): Promise<void> {
    return this.#write(this.#issuerName, issuer)
  }

  tokens(issuer: string): Promise<Tokens | undefined> {
    return this.#read(this.#tokensName(issuer))
  }

  keepTokens(issuer: string, tokens: Tokens): Promise<void> {
    return this.#write(this.#tokensName(issuer), tokens)
  }

  dropTokens(issuer: string): Promise<void> {
    return this.#try('forget', () => this.#store.delete(this.#tokensName(issuer)))
  }

  client(issuer: string): Promise<RegisteredClient | undefined> {
    return this.#read(clientName(issuer))
  }

  keepClient(issuer: string, client: RegisteredClient): Promise<void> {
    return this.#write(clientName(issuer), client)
  }

  dropClient(issuer: string): Promise<void> {
    return this.#try('forget', () => this.#store.delete(clientName(issuer)))
  }

  /** Runs a task while no other process gets tokens for the same account at the same server. */
  alone<Result>(task: () => Promise<Result>, signal: AbortSignal): Promise<Result> {
    return this.#store.alone ? this.#store.alone(this.#issuerName, task, signal) : task()
  }

  get #issuerName(): string {
    return nameOf('issuer', this.#account, this.#server)
  }

  #tokensName(issuer: string): string {
    return nameOf('tokens', this.#account, issuer, this.#server)
  }

  async #read<Value>(name: string): Promise<Value | undefined> {
    const text = await this.#try('read', () => this.#store.get(name))
    try {
      return text === undefined ? undefined : (JSON.parse(text) as Value)
    } catch {
      // a damaged record counts as missing
      return undefined
    }
  }

  #write(name: string, value: unknown): Promise<void> {
    return this.#try('keep', () => this.#store.set(name, JSON.stringify(value)))
  }

  async #try<Result>(verb: string, task: () => Promise<Result>): Promise<Result> {
    try {
      return await task()
    } catch (cause) {
      if (cause instanceof AuthError) throw cause
      throw new AuthError('store', `Cannot ${verb} credentials: the store failed`, { cause })
    }
  }
}

function clientName(issuer: string): string {
  return nameOf('client', issuer)
}

function nameOf(...parts: readonly string[]): string {
  return JSON.stringify(['trunkline', ...parts])
}
