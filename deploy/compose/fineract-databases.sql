-- Run by the postgres image on an empty volume: the list of tenants, and the database of the one tenant.
CREATE DATABASE fineract_default;
