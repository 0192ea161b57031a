const key = 'trunkline-secret'

/** The secret of this page; it lives as long as the tab and is known to no other. */
export function pageSecret(): string | undefined {
  return sessionStorage.getItem(key) ?? undefined
}

export function keepSecret(secret: string): void {
  sessionStorage.setItem(key, secret)
}

export function forgetSecret(): void {
  sessionStorage.removeItem(key)
}
