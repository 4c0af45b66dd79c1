-- Run by the postgres image on an empty volume: beside the list of tenants, the database of the one tenant.
CREATE DATABASE fineract_default;
