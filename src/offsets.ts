// Names for the offsets of packed numbers. They are made by a class of their own, since V8 lets object literals with the same names share a hidden class: when
// one of these gets a fraction, the class is given up, and code that reads its offsets from another is compiled, and thrown away, without end.

class Offsets {
  constructor(offsets: Readonly<Record<string, number>>) {
    Object.assign(this, offsets)
  }
}

/** The numbers by name as given, for code that must be fast. */
export function offsetsOf<const Given extends Readonly<Record<string, number>>>(given: Given): Readonly<Given>
export function offsetsOf(given: Readonly<Record<string, number>>): object {
  return new Offsets(given)
}
