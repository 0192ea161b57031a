/** Finds a secret among those that are kept on this machine; the host is loaded only for that. */
export async function findSecret(name: string): Promise<string | undefined> {
  const { findPlaces, secretFile, thisMachine } = await import('@trunkline/host/config')
  return secretFile(findPlaces(thisMachine()).secretsFile).get(name)
}
