/** Longer than 70 characters, with letters that NFKC folds (ﬁ) and a character beyond U+FFFF (𠮷). */
export const awkward = 'Reﬁned Żaneta Gęślą-Jaźń and 𠮷野家, Wholesale Purveyors of Fruit and Vegetables, Llanfairpwll';
