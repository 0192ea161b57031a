/** The header with the name and password of a proxy, where its address has them. */
export function proxyCredentials({ username, password }: URL): { readonly [name: string]: string } {
  if (username === '' && password === '') return {}
  const both = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  return { 'proxy-authorization': `Basic ${Buffer.from(both).toString('base64')}` }
}
