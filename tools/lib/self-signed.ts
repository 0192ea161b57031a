import { execFileSync } from 'node:child_process'
import { join } from 'node:path'

/** Paths of a certificate that signed itself, and of its key. */
export interface SelfSigned {
  readonly cert: string
  readonly key: string
}

/** Makes a certificate of 127.0.0.1 in a folder; it takes the program "openssl". */
export function selfSigned(folder: string): SelfSigned {
  const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')]
  const ec = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  const named = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=IP:127.0.0.1', '-days', '2']
  execFileSync('openssl', ['req', '-x509', ...ec, ...named, '-keyout', key, '-out', cert], { stdio: 'pipe' })
  return { cert, key }
}
