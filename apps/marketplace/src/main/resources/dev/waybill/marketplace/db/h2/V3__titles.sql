-- A title has up to 128 characters. H2 counts a character outside the basic plane, such as an emoji, as two.
ALTER TABLE products ALTER COLUMN title VARCHAR(256) NOT NULL;
