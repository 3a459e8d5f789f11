// The names of the two authentication headers, by the vendor's word in them.

export const vendorDefault = 'SVC'

export function headerNames(vendor: string): { token: string; email: string } {
  return { token: `X-${vendor}-AuthToken`, email: `X-${vendor}-AuthEmail` }
}
