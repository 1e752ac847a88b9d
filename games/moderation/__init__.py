"""What those who keep the place fair do to matches and at tables. Who may do what stands in accounts/roles.py."""
